// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{1.58, 0.803, 3580, 150},  TileRates{0.517, 1.19, 4240, 146},
                                           TileRates{0.378, 0.732, 4270, 136}, TileRates{0.363, 0.765, 2980, 146},
                                           TileRates{0.278, 0.695, 2910, 132}, TileRates{0.36, 1.24, 3320, 254},
                                           TileRates{0.211, 1.75, 2710, 269}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.000299, 0.000837, 0.0809, 0.104},
                                          .missed        = {0.94, 1, 0.308, 0.526},
                                          .waiting       = 1.35,
                                          .exposed       = 3.66,
                                          .uneven        = 0.187,
                                          .stored        = {1, 55.4, 12.6, 133},
                                          .walked        = {16.2, 62, 51.3, 183},
                                          .results       = {1, 0.0383, 0.902, 0.174},
                                          .memory        = 1.47,
                                          .cache         = 1.01,
                                          .apart         = 0.964,
                                          .added         = 9.88e-07,
                                          .biased        = 2.49e-07,
                                          .slices        = 3.25,
                                          .slice_bytes   = 0.358,
                                          .slice         = 4.28e-08,
                                          .copy          = 2.47,
                                          .copy_bytes    = 0.969};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.52, 1.13, 6890, 46.8, {1, 1, 1, 1}},   TileRates{0.897, 1.12, 4840, 53.5, {1, 1, 1, 1}},
    TileRates{0.615, 0.94, 4050, 57.6, {1, 1, 1, 1}},  TileRates{0.794, 1.11, 3930, 60, {1, 1, 1, 1}},
    TileRates{0.469, 1.06, 3280, 38.4, {1, 1, 1, 1}},  TileRates{1.03, 0.919, 4340, 34.1, {1, 1, 1, 1}},
    TileRates{0.499, 0.936, 3080, 64.5, {1, 1, 1, 1}}, TileRates{0.15, 0.623, 4420, 27.8, {1, 1, 1, 1}},
    TileRates{0.322, 0.78, 2770, 85.9, {1, 1, 1, 1}}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0046, 0.0123, 0.0747, 0.119},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.3,
                                            .exposed       = 1.22,
                                            .uneven        = 0.162,
                                            .stored        = {1, 43, 4.82, 46.7},
                                            .walked        = {5.48, 16.2, 5.68, 13},
                                            .results       = {1, 0.152, 0.954, 0.412},
                                            .memory        = 1.82,
                                            .cache         = 1.13,
                                            .apart         = 0.704,
                                            .added         = 3.6e-07,
                                            .biased        = 4.07e-07,
                                            .slices        = 1.94,
                                            .slice_bytes   = 0.616,
                                            .slice         = 1.18e-08,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
