// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.99, 0.628, 10100, 36.4}, TileRates{0.921, 1.09, 9010, 33.6},
                                           TileRates{0.79, 0.635, 9360, 32.6},  TileRates{0.93, 0.626, 5830, 41.1},
                                           TileRates{0.513, 0.654, 5260, 28.4}, TileRates{0.522, 1.09, 4750, 39.9},
                                           TileRates{0.628, 1.37, 3920, 42.8}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00204, 0.00262, 0.0664, 0.0496},
                                          .missed        = {1, 0.545, 0.23, 0.483},
                                          .waiting       = 5.23,
                                          .exposed       = 9.01,
                                          .stored        = {1, 7.48, 5.59, 80.2, 29.2, 66.4},
                                          .walked        = {0.0403, 17.2, 8.25, 53.2, 5.62, 65.7},
                                          .results       = {1, 0.497, 1.15, 1.13, 1.44, 1.01},
                                          .memory        = 0.487,
                                          .cache         = 0.994,
                                          .slices        = 5.28,
                                          .slice_bytes   = 0.142,
                                          .slice         = 7.94e-09,
                                          .copy          = 6.93,
                                          .copy_bytes    = 0.834};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.19, 0.824, 8330, 9.98},  TileRates{0.485, 0.724, 5430, 8.97},  TileRates{0.401, 0.711, 3650, 9.84},
    TileRates{0.466, 0.746, 5250, 14.3}, TileRates{0.339, 0.697, 5340, 17.9},  TileRates{0.515, 0.673, 5370, 9.23},
    TileRates{0.28, 0.627, 4100, 14.8},  TileRates{0.0981, 0.447, 4980, 7.78}, TileRates{0.187, 0.564, 2650, 8.07}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00919, 0.00478, 0.0999, 0.118},
                                            .missed        = {1, 0.661, 1, 1},
                                            .waiting       = 2.66,
                                            .exposed       = 0.974,
                                            .stored        = {1, 7.37, 1, 1, 7.94, 13.1},
                                            .walked        = {1.89, 3.7, 0.22, 0.22, 0.399, 3.76},
                                            .results       = {1, 0.389, 1, 1, 3.07, 2.43},
                                            .memory        = 0.989,
                                            .cache         = 1.92,
                                            .slices        = 4.23,
                                            .slice_bytes   = 0.327,
                                            .slice         = 4.53e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
