// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{3.94, 1.08, 7330, 130},  TileRates{0.949, 1.65, 6540, 129},
                                           TileRates{0.711, 1.05, 7050, 114}, TileRates{0.962, 1.45, 4660, 131},
                                           TileRates{0.582, 1.26, 4850, 112}, TileRates{0.703, 1.9, 4300, 319},
                                           TileRates{0.771, 2.24, 3710, 262}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00253, 0.00305, 0.034, 0.0281},
                                          .missed        = {0.754, 1, 0.304, 0.525},
                                          .waiting       = 2.16,
                                          .exposed       = 10,
                                          .uneven        = 0.213,
                                          .stored        = {1, 52.2, 10.6, 157},
                                          .walked        = {0.525, 36.3, 28.2, 146},
                                          .results       = {1, 0.0603, 0.92, 0.206},
                                          .memory        = 5.21,
                                          .cache         = 1.03,
                                          .apart         = 2.65,
                                          .added         = 1.22e-06,
                                          .biased        = 1.93e-07,
                                          .slices        = 4.84,
                                          .slice_bytes   = 0.263,
                                          .slice         = 1.16e-08,
                                          .copy          = 3.13,
                                          .copy_bytes    = 0.815};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.58, 1.09, 8350, 45.9},   TileRates{0.876, 1.07, 6520, 47.9},  TileRates{0.604, 0.918, 5410, 53.1},
    TileRates{0.779, 1.08, 4870, 57.3},  TileRates{0.474, 1.02, 4760, 30.9},  TileRates{1.04, 0.924, 4740, 38.2},
    TileRates{0.513, 0.922, 4050, 65.1}, TileRates{0.143, 0.594, 5850, 19.8}, TileRates{0.274, 0.749, 3110, 97.3}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00135, 0.00977, 0.0739, 0.118},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.85,
                                            .exposed       = 1.08,
                                            .uneven        = 0.169,
                                            .stored        = {1, 36.3, 3.66, 40.3},
                                            .walked        = {1.15, 5.01, 1.66, 6.13},
                                            .results       = {1, 0.615, 1, 0.607},
                                            .memory        = 1.58,
                                            .cache         = 1.08,
                                            .apart         = 0.553,
                                            .added         = 4.88e-07,
                                            .biased        = 5.18e-07,
                                            .slices        = 3.69,
                                            .slice_bytes   = 0.544,
                                            .slice         = 3.37e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
