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
inline constexpr std::array mma_double_rates{TileRates{1.73, 1.14, 6920, 50.1, {1, 1.04, 1.09, 1.05}},
                                             TileRates{1.07, 1.23, 4790, 51.8, {1, 1.01, 1.01, 0.908}},
                                             TileRates{0.711, 1.03, 4040, 57.5, {1, 1.04, 0.931, 0.913}},
                                             TileRates{0.947, 1.24, 3820, 57, {1, 0.942, 1.02, 1}},
                                             TileRates{0.561, 1.23, 3410, 41.8, {1, 0.978, 0.967, 0.917}},
                                             TileRates{1.42, 1.08, 4300, 33.2, {1, 1.17, 0.985, 0.896}},
                                             TileRates{0.641, 1.15, 3110, 64.7, {1, 0.95, 0.946, 0.85}},
                                             TileRates{0.202, 0.942, 4420, 26.1, {1, 0.992, 0.646, 0.662}},
                                             TileRates{0.344, 0.838, 2710, 84.5, {1, 1.12, 1.16, 1.02}}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0237, 0.0169, 0.0627, 0.0971},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.35,
                                            .exposed       = 1.79,
                                            .uneven        = 0.154,
                                            .stored        = {1, 42.2, 5.64, 45.6},
                                            .walked        = {5.57, 16.4, 6.16, 13.2},
                                            .results       = {1, 0.144, 0.839, 0.435},
                                            .memory        = 1.79,
                                            .cache         = 1.16,
                                            .apart         = 0.67,
                                            .added         = 3.88e-07,
                                            .biased        = 4.31e-07,
                                            .slices        = 1.93,
                                            .slice_bytes   = 0.61,
                                            .slice         = 1.23e-08,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
