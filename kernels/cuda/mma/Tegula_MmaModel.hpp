// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{5.3, 1.26, 3340, 2690},   TileRates{0.841, 1.86, 4040, 2050},
                                           TileRates{0.606, 1.43, 4200, 2020}, TileRates{1.1, 1.48, 2930, 2380},
                                           TileRates{0.622, 1.28, 2650, 2420}, TileRates{1.09, 3.4, 3230, 8590},
                                           TileRates{1.32, 1.48, 2620, 3850}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00273, 0.0028, 0.0277, 0.0397, 0.00489, 0.00652},
                                          .missed        = {0.972, 0.674, 0.328, 0.341, 1, 1},
                                          .waiting       = 2.08,
                                          .exposed       = 8.6,
                                          .uneven        = 0.387,
                                          .stored        = {1, 1230, 0.945, 945},
                                          .walked        = {175, 931, 271, 2910},
                                          .widened       = 5.99,
                                          .results       = {1, 0.00241, 0.985, 0.0127},
                                          .memory        = 4.43,
                                          .cache         = 1.45,
                                          .apart         = 4.87,
                                          .added         = 1.14e-06,
                                          .biased        = 1.38e-07,
                                          .activated     = 0.163,
                                          .kept          = 0.129,
                                          .slices        = 5.68,
                                          .slice_bytes   = 0.341,
                                          .slice         = 2.05e-08,
                                          .copy          = 1.71,
                                          .copy_bytes    = 1.04};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{TileRates{1.54, 1.09, 6320, 34.6, {1, 0.889, 0.977, 1.09}},
                                             TileRates{0.944, 1.1, 4290, 36.8, {1, 1.13, 1.09, 0.977}},
                                             TileRates{0.655, 0.97, 4470, 55.7, {1, 1.04, 0.936, 0.931}},
                                             TileRates{0.802, 1.22, 3910, 49.4, {1, 0.859, 0.971, 0.993}},
                                             TileRates{0.598, 1.29, 4690, 66.1, {1, 0.917, 0.876, 0.887}},
                                             TileRates{0.573, 0.955, 3770, 50, {1, 0.986, 1.07, 1.01}},
                                             TileRates{1.38, 1.01, 4510, 34.9, {1, 1.1, 0.949, 0.906}},
                                             TileRates{0.565, 1.27, 3340, 64.6, {1, 0.806, 0.77, 0.747}},
                                             TileRates{0.549, 1.11, 3330, 87.5, {1, 1.2, 0.97, 0.95}},
                                             TileRates{0.381, 0.701, 2690, 85.4, {1, 1.13, 1, 0.959}},
                                             TileRates{0.144, 0.737, 2790, 58.3, {1, 1.04, 1.02, 0.791}},
                                             TileRates{0.672, 0.681, 3310, 60.3, {1, 0.894, 0.856, 0.976}},
                                             TileRates{0.378, 0.797, 2870, 38.6, {1, 0.638, 0.698, 0.759}},
                                             TileRates{0.626, 0.419, 2640, 21, {1, 1.36, 0.836, 0.959}}};
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

// Rates, waiting, exposed and walked are fitted; an activation, a Z, slices and what is not of a tile are estimates:
// those of 16 bits, for elements of 4 bytes.
inline constexpr auto mma_tf32_choices = choices_of(MmaTf32Configs());
inline constexpr std::array mma_tf32_rates{
    TileRates{1.23, 1.9, 642, 2160, {1, 1, 1, 1}},    TileRates{1.23, 1.89, 535, 2260, {1, 1, 1, 1}},
    TileRates{0.636, 2.13, 2330, 2770, {1, 1, 1, 1}}, TileRates{0.586, 1.95, 2130, 3000, {1, 1, 1, 1}},
    TileRates{0.606, 2.41, 2140, 2550, {1, 1, 1, 1}}, TileRates{0.655, 1.36, 1750, 3940, {1, 1, 1, 1}},
    TileRates{0.443, 1.36, 2670, 5840, {1, 1, 1, 1}}, TileRates{0.455, 1.3, 2830, 2880, {1, 1, 1, 1}},
    TileRates{0.629, 2.21, 2970, 2040, {1, 1, 1, 1}}, TileRates{0.323, 0.975, 3920, 1470, {1, 1, 1, 1}}};
static_assert(mma_tf32_rates.size() == mma_tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_tf32_model{.choices        = mma_tf32_choices,
                                          .rates          = mma_tf32_rates,
                                          .multiply_adds  = &CudaRates::mma_half,
                                          .element_bytes  = sizeof(float),
                                          .sum_bytes      = sizeof(float),
                                          .shortest       = 64,
                                          .fetched        = {0.00979, 0.0109, 0.0685, 0.0497},
                                          .missed         = {1, 0.71, 0.5, 0.5},
                                          .waiting        = 2.21,
                                          .exposed        = 5.72,
                                          .uneven         = 0.2,
                                          .stored         = {1, 100, 100, 200},
                                          .walked         = {835, 5780, 1060, 8700},
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
inline constexpr TileModel mma_fp32_split_model = [] {
  TileModel model      = mma_tf32_model;
  model.choices        = mma_fp32_split_choices;
  model.rates          = mma_fp32_split_rates;
  model.multiply_share = mma_tf32_model.multiply_share / 3;
  model.waiting        = 2.2;
  model.exposed        = 1.25;
  model.memory         = 0.442;
  return model;
}();

}  // namespace Tegula::Impl

#endif
