// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.31, 0.796, 7750, 44.2},  TileRates{0.678, 1.28, 6890, 41.3},
                                           TileRates{0.489, 0.791, 7150, 42.3}, TileRates{0.602, 0.954, 5160, 47.3},
                                           TileRates{0.546, 1.09, 5360, 40.1},  TileRates{0.458, 1.03, 4120, 47.6},
                                           TileRates{0.245, 1.57, 3870, 77.3}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00363, 0.00392, 0.0556, 0.0426},
                                          .missed        = {0.829, 1, 0.376, 0.416},
                                          .waiting       = 2.15,
                                          .exposed       = 7.26,
                                          .stored        = {1, 5.91, 7.48, 32.4, 22.5, 1.62},
                                          .walked        = {2.34, 25.9, 16.1, 72.9, 11.6, 114},
                                          .results       = {1, 0.467, 1.06, 1.1, 9.13, 1.16},
                                          .memory        = 0.697,
                                          .cache         = 1,
                                          .slices        = 6.16,
                                          .slice_bytes   = 0.1,
                                          .slice         = 2.72e-08,
                                          .copy          = 2.02,
                                          .copy_bytes    = 0.627};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{2.83, 1.15, 12100, 19.4}, TileRates{0.597, 1.01, 5430, 11.5},  TileRates{0.76, 0.892, 5820, 16.7},
    TileRates{1.38, 1.22, 5720, 23.1},  TileRates{0.728, 1.14, 5450, 12.8},  TileRates{2.74, 1.2, 5750, 26.9},
    TileRates{0.445, 1.16, 5080, 37.3}, TileRates{0.139, 0.701, 7320, 14.6}, TileRates{0.316, 1.17, 3550, 22.9}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0184, 0.0205, 0.0344, 0.0338},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.15,
                                            .exposed       = 5.62,
                                            .stored        = {1, 8.72, 1, 1, 12.3, 21.5},
                                            .walked        = {0.0108, 5.95, 0.22, 0.22, 0.0178, 11.6},
                                            .results       = {1, 0.543, 1, 1, 2.08, 1.84},
                                            .memory        = 1.04,
                                            .cache         = 5.82,
                                            .slices        = 4.28,
                                            .slice_bytes   = 0.318,
                                            .slice         = 3.88e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
