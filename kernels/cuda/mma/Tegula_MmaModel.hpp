// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H100
/// (perf_tests/README.md), in double on an H200.

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.9, 1.05, 5610, 1200},   TileRates{0.851, 1.75, 5250, 872},
                                           TileRates{0.602, 1.02, 5820, 974},  TileRates{0.891, 1.43, 3880, 927},
                                           TileRates{0.631, 1.69, 3870, 1130}, TileRates{0.621, 1.86, 3220, 1260},
                                           TileRates{0.759, 3.3, 3470, 1830}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00146, 0.00223, 0.0406, 0.0259},
                                          .missed        = {1, 0.836, 0.39, 0.918},
                                          .waiting       = 2.45,
                                          .exposed       = 10.1,
                                          .uneven        = 0.193,
                                          .stored        = {1, 3.27, 1.07, 1050},
                                          .walked        = {72.2, 814, 535, 1900},
                                          .widened       = 2.28,
                                          .results       = {1, 0.00608, 0.0173, 0.0479},
                                          .memory        = 1.29,
                                          .cache         = 0.981,
                                          .apart         = 0.928,
                                          .added         = 2.11e-07,
                                          .biased        = 5.91e-07,
                                          .activated     = 0.168,
                                          .kept          = 0.137,
                                          .slices        = 4.97,
                                          .slice_bytes   = 0.384,
                                          .slice         = 3.61e-08,
                                          .copy          = 3.19,
                                          .copy_bytes    = 0.973};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{TileRates{1.73, 1.14, 6920, 50.1, {1, 1.04, 1.09, 1.05}},
                                             TileRates{1.07, 1.23, 4790, 51.8, {1, 1.01, 1.01, 0.907}},
                                             TileRates{0.712, 1.03, 4040, 57.5, {1, 1.04, 0.93, 0.912}},
                                             TileRates{0.95, 1.25, 3820, 57, {1, 0.941, 1.02, 0.999}},
                                             TileRates{0.562, 1.23, 3410, 41.7, {1, 0.978, 0.967, 0.917}},
                                             TileRates{1.43, 1.09, 4300, 33.2, {1, 1.17, 0.981, 0.892}},
                                             TileRates{0.643, 1.15, 3110, 64.7, {1, 0.949, 0.945, 0.849}},
                                             TileRates{0.202, 0.941, 4420, 26.1, {1, 0.993, 0.645, 0.661}},
                                             TileRates{0.344, 0.84, 2710, 84.5, {1, 1.12, 1.16, 1.02}}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0238, 0.0168, 0.0625, 0.097},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.35,
                                            .exposed       = 1.8,
                                            .uneven        = 0.154,
                                            .stored        = {1, 42.2, 5.64, 45.6},
                                            .walked        = {5.57, 16.4, 6.16, 13.2},
                                            .results       = {1, 0.144, 0.84, 0.435},
                                            .memory        = 1.8,
                                            .cache         = 1.16,
                                            .apart         = 0.671,
                                            .added         = 3.88e-07,
                                            .biased        = 4.31e-07,
                                            .activated     = 1.51,
                                            .kept          = 0.171,
                                            .slices        = 1.93,
                                            .slice_bytes   = 0.61,
                                            .slice         = 1.23e-08,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
