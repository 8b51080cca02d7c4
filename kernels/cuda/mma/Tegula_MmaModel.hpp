// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H100
/// (perf_tests/README.md), in double on an H200.

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.44, 1.02, 4430, 2800},  TileRates{0.899, 1.86, 4340, 2030},
                                           TileRates{0.585, 1.43, 4750, 2260}, TileRates{0.858, 1.2, 3380, 2150},
                                           TileRates{0.608, 1.4, 3410, 2650},  TileRates{0.635, 1.54, 3130, 2950},
                                           TileRates{0.637, 3.44, 3130, 4120}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00146, 0.0023, 0.0411, 0.0346},
                                          .missed        = {1, 0.71, 0.299, 0.809},
                                          .waiting       = 3.08,
                                          .exposed       = 7.59,
                                          .uneven        = 0.239,
                                          .stored        = {1, 42.3, 0.878, 2040},
                                          .walked        = {249, 2050, 1360, 4160},
                                          .widened       = 2.28,
                                          .results       = {1, 0.00295, 0.00405, 0.0242},
                                          .memory        = 1.2,
                                          .cache         = 0.927,
                                          .apart         = 0.824,
                                          .added         = 1.76e-07,
                                          .biased        = 4.62e-07,
                                          .activated     = 0.163,
                                          .kept          = 0.129,
                                          .slices        = 6.07,
                                          .slice_bytes   = 0.35,
                                          .slice         = 2.17e-08,
                                          .copy          = 2.46,
                                          .copy_bytes    = 1.01};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{TileRates{1.75, 1.15, 7140, 50.1, {1, 0.998, 0.984, 0.991}},
                                             TileRates{0.881, 1.13, 5210, 51.8, {1, 1, 1.07, 1.03}},
                                             TileRates{0.678, 1.05, 4060, 57.5, {1, 0.976, 0.903, 0.883}},
                                             TileRates{0.976, 1.24, 4080, 57, {1, 0.905, 0.961, 0.988}},
                                             TileRates{0.721, 1.2, 3630, 41.7, {1, 0.978, 0.948, 0.904}},
                                             TileRates{0.853, 1.26, 4910, 41.7, {1, 0.986, 0.972, 0.872}},
                                             TileRates{1.67, 1.14, 4120, 33.2, {1, 1.04, 0.962, 0.87}},
                                             TileRates{0.487, 1.11, 3130, 64.7, {1, 0.945, 0.902, 0.897}},
                                             TileRates{0.563, 1.32, 2140, 64.7, {1, 0.908, 0.956, 0.903}},
                                             TileRates{0.347, 0.876, 2630, 84.5, {1, 1.01, 1.05, 0.942}},
                                             TileRates{0.177, 0.847, 3280, 60, {1, 0.918, 0.92, 0.84}}};
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
