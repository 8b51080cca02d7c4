// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{3.5, 0.856, 6920, 62.7},   TileRates{1.14, 1.13, 6340, 60.4},
                                           TileRates{0.808, 0.808, 6530, 58.9}, TileRates{1.14, 0.971, 4410, 63.5},
                                           TileRates{0.716, 1.05, 4290, 52.1},  TileRates{0.75, 1.28, 3870, 77.5},
                                           TileRates{0.554, 1.87, 3760, 94.5}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00164, 0.00255, 0.053, 0.0479},
                                          .missed        = {0.901, 0.815, 0.205, 0.367},
                                          .waiting       = 4.88,
                                          .exposed       = 6.08,
                                          .uneven        = 0.25,
                                          .stored        = {1, 15.4, 2.73, 66.5, 25.2, 6.75},
                                          .walked        = {0.0677, 27.1, 17.5, 62, 11.9, 138},
                                          .results       = {1, 0.0664, 2.17, 0.232, 6.73, 0.209},
                                          .memory        = 3.03,
                                          .cache         = 0.922,
                                          .apart         = 1.85,
                                          .slices        = 5.12,
                                          .slice_bytes   = 0.109,
                                          .slice         = 9.48e-09,
                                          .copy          = 2.76,
                                          .copy_bytes    = 0.828};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.33, 1.09, 6440, 10.4},   TileRates{0.637, 0.973, 4250, 9.24}, TileRates{0.557, 0.91, 3800, 10.4},
    TileRates{0.689, 1.02, 4010, 11.9},  TileRates{0.512, 0.957, 3420, 9.15}, TileRates{0.805, 0.896, 4260, 14.5},
    TileRates{0.432, 0.862, 3500, 18.3}, TileRates{0.136, 0.618, 4270, 9.03}, TileRates{0.272, 0.84, 2820, 19.7}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00109, 0.00438, 0.0833, 0.0809},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 1.44,
                                            .exposed       = 1.24,
                                            .uneven        = 0.336,
                                            .stored        = {1, 4.51, 1, 1, 7.84, 14.3},
                                            .walked        = {0.0605, 2.66, 0.22, 0.22, 0.0184, 3.09},
                                            .results       = {1, 1.27, 1, 1, 1.16, 0.168},
                                            .memory        = 1.04,
                                            .cache         = 1.06,
                                            .apart         = 0.243,
                                            .slices        = 3.89,
                                            .slice_bytes   = 0.284,
                                            .slice         = 3.07e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
