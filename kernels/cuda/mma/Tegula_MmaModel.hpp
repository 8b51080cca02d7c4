// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md), but for `widened`, which is the ratio of bytes.

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.13, 0.895, 519, 142},   TileRates{0.574, 1.22, 1820, 113},
                                           TileRates{0.413, 0.847, 2350, 125}, TileRates{0.441, 0.888, 1940, 122},
                                           TileRates{0.317, 0.944, 2000, 157}, TileRates{0.338, 1.07, 2600, 167},
                                           TileRates{0.422, 2.38, 3240, 257}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.000313, 0.00122, 0.059, 0.0789},
                                          .missed        = {1, 0.617, 0.425, 0.537},
                                          .waiting       = 2.48,
                                          .exposed       = 4.53,
                                          .uneven        = 0.178,
                                          .stored        = {1, 7.66, 2.62, 160},
                                          .walked        = {33.9, 131, 68.2, 242},
                                          .widened       = 2.3,
                                          .results       = {1, 0.0308, 0.226, 0.176},
                                          .memory        = 2.12,
                                          .cache         = 0.928,
                                          .apart         = 1.5,
                                          .added         = 2.6e-07,
                                          .biased        = 5.27e-07,
                                          .activated     = 0.0671,
                                          .kept          = 0.234,
                                          .slices        = 4.7,
                                          .slice_bytes   = 0.396,
                                          .slice         = 3.49e-08,
                                          .copy          = 3.25,
                                          .copy_bytes    = 0.876};

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
