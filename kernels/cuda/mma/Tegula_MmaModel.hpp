// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{3.01, 0.875, 7040, 136},  TileRates{0.996, 1.14, 6440, 135},
                                           TileRates{0.71, 0.809, 6470, 126},  TileRates{0.95, 0.961, 4370, 140},
                                           TileRates{0.566, 0.989, 4200, 111}, TileRates{0.595, 1.2, 3810, 198},
                                           TileRates{0.476, 1.66, 3460, 214}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00162, 0.00225, 0.0498, 0.0505},
                                          .missed        = {0.944, 0.974, 0.209, 0.305},
                                          .waiting       = 4.96,
                                          .exposed       = 5.68,
                                          .uneven        = 0.214,
                                          .stored        = {1, 55.5, 24.9, 198},
                                          .walked        = {0.242, 34.9, 29.3, 96.6},
                                          .results       = {1, 0.0574, 1.14, 0.234},
                                          .memory        = 4.14,
                                          .cache         = 0.957,
                                          .apart         = 2.6,
                                          .added         = 1.04e-06,
                                          .biased        = 2.47e-07,
                                          .slices        = 4.54,
                                          .slice_bytes   = 0.112,
                                          .slice         = 1.01e-08,
                                          .copy          = 3,
                                          .copy_bytes    = 0.833};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.83, 1.11, 6260, 10.8},   TileRates{0.866, 1.11, 4810, 12.1},  TileRates{0.627, 0.934, 4580, 15.9},
    TileRates{0.905, 1.09, 4280, 16},    TileRates{0.508, 1.07, 3800, 12.9},  TileRates{1.25, 0.953, 4230, 17.3},
    TileRates{0.545, 0.914, 3640, 25.9}, TileRates{0.145, 0.642, 4620, 12.5}, TileRates{0.284, 0.792, 2730, 29.9}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00655, 0.0122, 0.0519, 0.0766},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 3.08,
                                            .exposed       = 1.66,
                                            .uneven        = 0.175,
                                            .stored        = {1, 7.95, 11.3, 16.8},
                                            .walked        = {0.454, 1.75, 0.0178, 0.8},
                                            .results       = {1, 1.2, 1.12, 1.84},
                                            .memory        = 1.64,
                                            .cache         = 1.1,
                                            .apart         = 0.562,
                                            .added         = 5.31e-07,
                                            .biased        = 4.86e-07,
                                            .slices        = 4.01,
                                            .slice_bytes   = 0.274,
                                            .slice         = 2.53e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
