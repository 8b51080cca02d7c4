// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{1.47, 0.807, 3580, 158},  TileRates{0.518, 1.19, 4250, 154},
                                           TileRates{0.378, 0.736, 4260, 143}, TileRates{0.365, 0.776, 2990, 155},
                                           TileRates{0.278, 0.701, 2910, 140}, TileRates{0.356, 1.28, 3300, 267},
                                           TileRates{0.212, 1.8, 2710, 283}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.000389, 0.000941, 0.0834, 0.106},
                                          .missed        = {0.918, 1, 0.308, 0.542},
                                          .waiting       = 1.3,
                                          .exposed       = 3.67,
                                          .uneven        = 0.184,
                                          .stored        = {1, 58.8, 12.9, 140},
                                          .walked        = {17.2, 65.5, 54.5, 193},
                                          .results       = {1, 0.0365, 0.932, 0.177},
                                          .memory        = 1.46,
                                          .cache         = 1.01,
                                          .apart         = 0.952,
                                          .added         = 9.97e-07,
                                          .biased        = 2.5e-07,
                                          .slices        = 3.27,
                                          .slice_bytes   = 0.358,
                                          .slice         = 4.22e-08,
                                          .copy          = 2.46,
                                          .copy_bytes    = 0.965};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.5, 1.12, 6950, 48.2},    TileRates{0.871, 1.11, 4870, 53.8},  TileRates{0.599, 0.931, 4060, 58.2},
    TileRates{0.773, 1.09, 3960, 60.6},  TileRates{0.457, 1.06, 3310, 38.1},  TileRates{0.996, 0.894, 4410, 35.1},
    TileRates{0.498, 0.931, 3140, 65.3}, TileRates{0.138, 0.638, 4300, 26.8}, TileRates{0.311, 0.742, 2770, 88.1}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00154, 0.0117, 0.0745, 0.113},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.37,
                                            .exposed       = 1.19,
                                            .uneven        = 0.154,
                                            .stored        = {1, 43.1, 4.96, 47.3},
                                            .walked        = {5.23, 16.3, 5.78, 13.3},
                                            .results       = {1, 0.175, 0.908, 0.411},
                                            .memory        = 1.67,
                                            .cache         = 1.11,
                                            .apart         = 0.652,
                                            .added         = 3.67e-07,
                                            .biased        = 4.18e-07,
                                            .slices        = 1.89,
                                            .slice_bytes   = 0.61,
                                            .slice         = 1.15e-08,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
