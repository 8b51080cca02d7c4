// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H100
/// (perf_tests/README.md), in double on an H200.

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.68, 0.99, 215, 337},    TileRates{0.648, 1.38, 1930, 276},
                                           TileRates{0.455, 0.923, 2470, 305}, TileRates{0.514, 1.12, 2090, 302},
                                           TileRates{0.351, 1.31, 2060, 381},  TileRates{0.376, 1.79, 2520, 401},
                                           TileRates{0.554, 3.9, 3270, 616}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.000734, 0.00309, 0.0604, 0.0909},
                                          .missed        = {1, 0.51, 0.434, 0.495},
                                          .waiting       = 1.71,
                                          .exposed       = 6.29,
                                          .uneven        = 0.161,
                                          .stored        = {1, 1.64, 1.26, 378},
                                          .walked        = {82.5, 330, 172, 599},
                                          .widened       = 2.28,
                                          .results       = {1, 0.00901, 0.13, 0.12},
                                          .memory        = 2.22,
                                          .cache         = 0.946,
                                          .apart         = 1.71,
                                          .added         = 3.95e-07,
                                          .biased        = 4.44e-07,
                                          .activated     = 0.0753,
                                          .kept          = 0.243,
                                          .slices        = 4.63,
                                          .slice_bytes   = 0.405,
                                          .slice         = 3.55e-08,
                                          .copy          = 3.55,
                                          .copy_bytes    = 0.902};

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
                                            .activated     = 1,
                                            .kept          = 0.13,
                                            .slices        = 1.93,
                                            .slice_bytes   = 0.61,
                                            .slice         = 1.23e-08,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
