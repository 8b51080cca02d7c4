// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H100
/// (perf_tests/README.md), in double and float on an H200.

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

// 32 x 128 and 32 x 64 have the rates of their transposes, that of 32 x 16 is an estimate: no time was measured of them
// since kernels in double keep C in registers.
inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{TileRates{1.73, 1.14, 6920, 50.1, {1, 1.04, 1.09, 1.05}},
                                             TileRates{1.07, 1.23, 4790, 51.8, {1, 1.01, 1.01, 0.907}},
                                             TileRates{0.712, 1.03, 4040, 57.5, {1, 1.04, 0.93, 0.912}},
                                             TileRates{0.95, 1.25, 3820, 57, {1, 0.941, 1.02, 0.999}},
                                             TileRates{0.562, 1.23, 3410, 41.7, {1, 0.978, 0.967, 0.917}},
                                             TileRates{0.562, 1.23, 3410, 41.7, {1, 0.967, 0.978, 0.917}},
                                             TileRates{1.43, 1.09, 4300, 33.2, {1, 1.17, 0.981, 0.892}},
                                             TileRates{0.643, 1.15, 3110, 64.7, {1, 0.949, 0.945, 0.849}},
                                             TileRates{0.643, 1.15, 3110, 64.7, {1, 0.945, 0.949, 0.849}},
                                             TileRates{0.344, 0.84, 2710, 84.5, {1, 1.12, 1.16, 1.02}},
                                             TileRates{0.19, 0.8, 2900, 84.5, {1, 1.05, 1.05, 0.95}}};
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

// An activation, a Z, slices and what is not of a tile are estimates: those of 16 bits, for elements of 4 bytes. Plain
// results have since left in pairs by a code of their own.
inline constexpr auto mma_tf32_choices = choices_of(MmaTf32Configs());
inline constexpr std::array mma_tf32_rates{
    TileRates{0.761, 0.996, 12000, 2040, {1, 1, 1, 1}}, TileRates{0.79, 0.939, 12500, 2510, {1, 1, 1, 1}},
    TileRates{0.491, 1.24, 7920, 1820, {1, 1, 1, 1}},   TileRates{0.421, 1.12, 7010, 2590, {1, 1, 1, 1}},
    TileRates{0.79, 1.99, 8340, 1970, {1, 1, 1, 1}},    TileRates{0.329, 1.07, 4090, 1680, {1, 1, 1, 1}},
    TileRates{0.245, 0.887, 4180, 2620, {1, 1, 1, 1}},  TileRates{0.258, 0.916, 4660, 1760, {1, 1, 1, 1}},
    TileRates{0.374, 1.55, 5610, 1640, {1, 1, 1, 1}},   TileRates{0.22, 0.658, 6690, 942, {1, 1, 1, 1}}};
static_assert(mma_tf32_rates.size() == mma_tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_tf32_model{.choices        = mma_tf32_choices,
                                          .rates          = mma_tf32_rates,
                                          .multiply_adds  = &CudaRates::mma_half,
                                          .element_bytes  = sizeof(float),
                                          .sum_bytes      = sizeof(float),
                                          .shortest       = 64,
                                          .fetched        = {0.00979, 0.0109, 0.0685, 0.0497},
                                          .missed         = {1, 0.71, 0.5, 0.5},
                                          .waiting        = 3.83,
                                          .exposed        = 2.88,
                                          .uneven         = 0.2,
                                          .stored         = {1, 100, 100, 200},
                                          .walked         = {1190, 4270, 344, 5450},
                                          .results        = {1, 1, 1, 1},
                                          .memory         = 1.2,
                                          .cache          = 0.927,
                                          .apart          = 0.5,
                                          .added          = 1.76e-07,
                                          .biased         = 4.62e-07,
                                          .activated      = 0.28,
                                          .kept           = 0.25,
                                          .slices         = 1.9,
                                          .slice_bytes    = 0.5,
                                          .slice          = 1.2e-08,
                                          .copy           = 1,
                                          .copy_bytes     = 0.74,
                                          .multiply_share = 0.5};

}  // namespace Tegula::Impl

#endif
