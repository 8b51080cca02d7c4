// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{3.78, 0.855, 5740, 132},  TileRates{1.2, 1.1, 5710, 137},
                                           TileRates{0.85, 0.784, 5260, 118},  TileRates{1.14, 0.915, 4100, 134},
                                           TileRates{0.549, 0.847, 4080, 118}, TileRates{0.742, 1.35, 3900, 248},
                                           TileRates{0.525, 1.82, 3450, 246}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00167, 0.00203, 0.044, 0.0425},
                                          .missed        = {0.872, 1, 0.357, 0.253},
                                          .waiting       = 5.39,
                                          .exposed       = 7.19,
                                          .uneven        = 0.153,
                                          .stored        = {1, 52.9, 12.7, 152},
                                          .walked        = {7.54, 47.6, 38.3, 147},
                                          .results       = {1, 0.0591, 0.827, 0.251},
                                          .memory        = 4.44,
                                          .cache         = 0.96,
                                          .apart         = 2.46,
                                          .added         = 1.24e-06,
                                          .biased        = 1.64e-07,
                                          .slices        = 2.51,
                                          .slice_bytes   = 0.276,
                                          .slice         = 4.21e-08,
                                          .copy          = 3.38,
                                          .copy_bytes    = 0.856};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{2.05, 1.19, 7970, 47.4},  TileRates{1.11, 1.24, 6000, 54.3},   TileRates{0.731, 1.02, 5060, 57.6},
    TileRates{1.07, 1.28, 4650, 61.1},  TileRates{0.579, 1.26, 4110, 32.1},  TileRates{1.96, 1.19, 4620, 41.3},
    TileRates{0.665, 1.15, 3810, 67.8}, TileRates{0.158, 0.768, 5410, 22.5}, TileRates{0.362, 0.962, 3120, 96.9}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0112, 0.0142, 0.0357, 0.0524},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.46,
                                            .exposed       = 3.4,
                                            .uneven        = 0.17,
                                            .stored        = {1, 43.7, 3.63, 45.4},
                                            .walked        = {2.68, 9.15, 2.72, 8.94},
                                            .results       = {1, 0.351, 1.1, 0.483},
                                            .memory        = 1.59,
                                            .cache         = 1.08,
                                            .apart         = 0.549,
                                            .added         = 3.95e-07,
                                            .biased        = 4.38e-07,
                                            .slices        = 1.68,
                                            .slice_bytes   = 0.54,
                                            .slice         = 1.37e-08,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
