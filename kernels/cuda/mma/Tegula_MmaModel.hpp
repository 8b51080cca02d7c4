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

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{TileRates{1.44, 1.09, 6180, 37.8, {1, 0.886, 1, 1.09}},
                                             TileRates{0.974, 1.15, 4410, 37.1, {1, 1.08, 1.03, 0.981}},
                                             TileRates{0.655, 0.966, 4510, 55.8, {1, 1.04, 0.934, 0.93}},
                                             TileRates{0.839, 1.22, 4040, 52.9, {1, 0.859, 0.951, 0.983}},
                                             TileRates{0.613, 1.31, 4660, 66.1, {1, 0.904, 0.843, 0.814}},
                                             TileRates{0.573, 0.959, 3770, 49.7, {1, 0.98, 1.1, 0.986}},
                                             TileRates{1.37, 1.03, 4560, 35.4, {1, 1.11, 0.896, 0.872}},
                                             TileRates{0.578, 1.29, 3420, 65.9, {1, 0.798, 0.713, 0.728}},
                                             TileRates{0.532, 1.12, 3350, 86.4, {1, 1.19, 1, 0.948}},
                                             TileRates{0.366, 0.759, 2740, 84.2, {1, 1.08, 0.971, 0.928}},
                                             TileRates{0.145, 0.726, 2670, 51.9, {1, 1.13, 1, 0.802}}};
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
                                            .exposed       = 1.66,
                                            .uneven        = 0.154,
                                            .stored        = {1, 42.2, 5.64, 45.6},
                                            .walked        = {4.9, 29.3, 8.1, 17.7},
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

// Rates, waiting, exposed and memory are fitted to 211 calls on an H200; all else is as with TF32.
inline constexpr auto mma_fp32_split_choices = choices_of(MmaFp32SplitConfigs());
inline constexpr std::array mma_fp32_split_rates{TileRates{0.561, 0.996, 3000, 3030, {1, 1.12, 1.16, 1.2}},
                                                 TileRates{0.338, 1.12, 4350, 3690, {1, 1.45, 1.03, 1.07}},
                                                 TileRates{0.335, 1.12, 4340, 2970, {1, 1.08, 1.14, 1.08}},
                                                 TileRates{0.329, 0.513, 5010, 3080, {1, 1.12, 1.12, 1.19}},
                                                 TileRates{0.358, 0.571, 4670, 3470, {1, 1.05, 1.08, 1.15}},
                                                 TileRates{0.287, 0.57, 5330, 1720, {1, 1.16, 1.12, 1.18}},
                                                 TileRates{0.332, 0.473, 7730, 8950, {1, 1.26, 1.98, 1.6}},
                                                 TileRates{0.379, 0.74, 6440, 780, {1, 0.951, 0.845, 1.78}}};
static_assert(mma_fp32_split_rates.size() == mma_fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_fp32_split_model{.choices        = mma_fp32_split_choices,
                                                .rates          = mma_fp32_split_rates,
                                                .multiply_adds  = &CudaRates::mma_half,
                                                .element_bytes  = sizeof(float),
                                                .sum_bytes      = sizeof(float),
                                                .shortest       = 64,
                                                .fetched        = {0.00979, 0.0109, 0.0685, 0.0497},
                                                .missed         = {1, 0.71, 0.5, 0.5},
                                                .waiting        = 2.2,
                                                .exposed        = 1.25,
                                                .uneven         = 0.2,
                                                .stored         = {1, 100, 100, 200},
                                                .walked         = {1190, 4270, 344, 5450},
                                                .results        = {1, 1, 1, 1},
                                                .memory         = 0.442,
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
                                                .multiply_share = 1.0 / 6};

}  // namespace Tegula::Impl

#endif
