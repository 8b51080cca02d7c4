// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{1.45, 0.82, 3790, 158},   TileRates{0.529, 1.21, 4540, 156},
                                           TileRates{0.386, 0.75, 4560, 143},  TileRates{0.378, 0.778, 3170, 155},
                                           TileRates{0.289, 0.726, 3110, 140}, TileRates{0.326, 1.27, 3290, 282},
                                           TileRates{0.204, 1.92, 2710, 303}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.000439, 0.000825, 0.0734, 0.106},
                                          .missed        = {1, 0.927, 0.4, 0.457},
                                          .waiting       = 1.14,
                                          .exposed       = 3.92,
                                          .uneven        = 0.171,
                                          .stored        = {1, 60.5, 12.7, 145},
                                          .walked        = {15.5, 65.5, 51, 198},
                                          .results       = {1, 0.0376, 1.03, 0.172},
                                          .memory        = 1.21,
                                          .cache         = 1.02,
                                          .apart         = 1.01,
                                          .added         = 1.04e-06,
                                          .biased        = 2.16e-07,
                                          .slices        = 3.61,
                                          .slice_bytes   = 0.372,
                                          .slice         = 4.83e-08,
                                          .copy          = 2.46,
                                          .copy_bytes    = 1.01};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.52, 1.11, 7070, 47.1},   TileRates{0.86, 1.1, 5050, 55.6},    TileRates{0.595, 0.924, 4200, 59.5},
    TileRates{0.768, 1.08, 4030, 62.2},  TileRates{0.449, 1.05, 3280, 35.5},  TileRates{0.981, 0.876, 4470, 35.9},
    TileRates{0.495, 0.914, 3190, 67.4}, TileRates{0.137, 0.619, 4430, 27.1}, TileRates{0.304, 0.723, 2780, 91.8}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00158, 0.0119, 0.0743, 0.112},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.44,
                                            .exposed       = 1.19,
                                            .uneven        = 0.139,
                                            .stored        = {1, 44.8, 4.31, 49.7},
                                            .walked        = {5.16, 15.3, 5.3, 12.3},
                                            .results       = {1, 0.18, 1.03, 0.391},
                                            .memory        = 1.64,
                                            .cache         = 1.12,
                                            .apart         = 0.621,
                                            .added         = 3.99e-07,
                                            .biased        = 4.35e-07,
                                            .slices        = 1.86,
                                            .slice_bytes   = 0.597,
                                            .slice         = 1.15e-08,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
