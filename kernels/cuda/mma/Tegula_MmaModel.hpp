// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{3.82, 1.03, 7220, 161},   TileRates{0.882, 1.53, 6440, 158},
                                           TileRates{0.673, 0.997, 6940, 143}, TileRates{0.9, 1.32, 4630, 163},
                                           TileRates{0.555, 1.17, 4840, 143},  TileRates{0.664, 1.85, 4270, 355},
                                           TileRates{0.739, 2.18, 3790, 296}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00235, 0.00284, 0.0333, 0.0288},
                                          .missed        = {0.743, 1, 0.318, 0.486},
                                          .waiting       = 2.27,
                                          .exposed       = 9.74,
                                          .uneven        = 0.209,
                                          .stored        = {1, 60.2, 14.2, 195},
                                          .walked        = {1.14, 49, 37.1, 180},
                                          .results       = {1, 0.0434, 1.1, 0.176},
                                          .memory        = 5.06,
                                          .cache         = 1.02,
                                          .apart         = 2.61,
                                          .added         = 1.07e-06,
                                          .biased        = 2.16e-07,
                                          .slices        = 4.91,
                                          .slice_bytes   = 0.258,
                                          .slice         = 1.11e-08,
                                          .copy          = 3.04,
                                          .copy_bytes    = 0.811};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.98, 1.19, 8550, 47.3},  TileRates{1.14, 1.21, 6670, 53.7},   TileRates{0.722, 1.02, 5510, 55.6},
    TileRates{1.04, 1.27, 4950, 64.1},  TileRates{0.587, 1.24, 4550, 29.8},  TileRates{1.85, 1.17, 4790, 40.4},
    TileRates{0.677, 1.14, 4130, 76.2}, TileRates{0.155, 0.735, 5770, 20.5}, TileRates{0.335, 0.95, 3220, 139}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0117, 0.0134, 0.0375, 0.0527},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.51,
                                            .exposed       = 3.18,
                                            .uneven        = 0.17,
                                            .stored        = {1, 39.6, 3.22, 36.6},
                                            .walked        = {1.42, 5.38, 1.7, 5.33},
                                            .results       = {1, 0.629, 1.09, 0.592},
                                            .memory        = 1.48,
                                            .cache         = 1.08,
                                            .apart         = 0.509,
                                            .added         = 4.9e-07,
                                            .biased        = 4.34e-07,
                                            .slices        = 3.62,
                                            .slice_bytes   = 0.54,
                                            .slice         = 3.57e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
