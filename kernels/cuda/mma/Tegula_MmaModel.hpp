// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H100
/// (perf_tests/README.md), in double on an H200.

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{3.04, 1.05, 5140, 1630},  TileRates{1.04, 1.86, 4860, 1200},
                                           TileRates{0.655, 1.23, 5250, 1320}, TileRates{1.13, 1.3, 3700, 1270},
                                           TileRates{0.743, 1.57, 3620, 1530}, TileRates{0.743, 1.81, 3190, 1700},
                                           TileRates{0.925, 3.58, 3150, 2170}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00137, 0.00201, 0.0448, 0.0244},
                                          .missed        = {1, 0.735, 0.42, 1},
                                          .waiting       = 3.37,
                                          .exposed       = 8.78,
                                          .uneven        = 0.249,
                                          .stored        = {1, 5.71, 1.01, 1320},
                                          .walked        = {100, 1150, 751, 2430},
                                          .widened       = 2.28,
                                          .results       = {1, 0.00404, 0.00841, 0.0433},
                                          .memory        = 1.3,
                                          .cache         = 0.95,
                                          .apart         = 1.02,
                                          .added         = 1.63e-07,
                                          .biased        = 4.58e-07,
                                          .activated     = 0.155,
                                          .kept          = 0.125,
                                          .slices        = 5.61,
                                          .slice_bytes   = 0.375,
                                          .slice         = 2.95e-08,
                                          .copy          = 2.99,
                                          .copy_bytes    = 0.971};

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
