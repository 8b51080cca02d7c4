// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{1.76, 0.791, 4650, 193},  TileRates{0.504, 1.04, 5000, 189},
                                           TileRates{0.346, 1.27, 4050, 175},  TileRates{0.359, 0.747, 3450, 189},
                                           TileRates{0.272, 0.676, 3400, 169}, TileRates{0.29, 1.11, 3540, 342},
                                           TileRates{0.197, 2.19, 2840, 346}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00031, 0.000648, 0.163, 0.0879},
                                          .missed        = {1, 1, 0.258, 0.368},
                                          .waiting       = 1.38,
                                          .exposed       = 3.21,
                                          .uneven        = 0.142,
                                          .stored        = {1, 67.9, 14.1, 172},
                                          .walked        = {14.9, 80.7, 67.3, 230},
                                          .results       = {1, 0.0327, 0.755, 0.148},
                                          .memory        = 1.31,
                                          .cache         = 1.03,
                                          .apart         = 1.04,
                                          .added         = 9.89e-07,
                                          .biased        = 2.09e-07,
                                          .slices        = 3.27,
                                          .slice_bytes   = 0.358,
                                          .slice         = 2.85e-08,
                                          .copy          = 2.46,
                                          .copy_bytes    = 0.952};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.52, 1.11, 7160, 47},     TileRates{0.85, 1.09, 5180, 56.9},   TileRates{0.591, 0.917, 4310, 60.4},
    TileRates{0.764, 1.07, 4080, 63.4},  TileRates{0.445, 1.04, 3310, 34.4},  TileRates{0.967, 0.864, 4500, 36.4},
    TileRates{0.491, 0.901, 3210, 68.8}, TileRates{0.137, 0.608, 4530, 27.2}, TileRates{0.3, 0.71, 2790, 94.5}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00159, 0.0116, 0.0742, 0.113},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.48,
                                            .exposed       = 1.19,
                                            .uneven        = 0.128,
                                            .stored        = {1, 46.4, 3.83, 50.6},
                                            .walked        = {5.05, 14.1, 4.98, 11.8},
                                            .results       = {1, 0.184, 1.12, 0.398},
                                            .memory        = 1.63,
                                            .cache         = 1.14,
                                            .apart         = 0.609,
                                            .added         = 4.29e-07,
                                            .biased        = 4.52e-07,
                                            .slices        = 1.86,
                                            .slice_bytes   = 0.599,
                                            .slice         = 1.16e-08,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
