// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{2, 1.78, 3950, 46.4},    TileRates{1.6, 1.66, 2660, 51.9},
                                        TileRates{1.62, 1.46, 2720, 58.7}, TileRates{2.26, 1.63, 3420, 84.7},
                                        TileRates{1.24, 1.52, 2170, 60.3}, TileRates{1.13, 1.53, 2360, 139},
                                        TileRates{3.22, 1.4, 2190, 190},   TileRates{3.15, 1.17, 1940, 94.7}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0153, 0.0123, 0.055, 0.066},
                                       .missed        = {1, 0.0982, 0.5, 0.518},
                                       .waiting       = 1.51,
                                       .exposed       = 0.378,
                                       .uneven        = 0.71,
                                       .stored        = {1, 39.5, 15.1, 101},
                                       .walked        = {0.101, 33.9, 22.9, 2.28},
                                       .results       = {1, 16.6, 0.513, 17.8},
                                       .memory        = 3.81,
                                       .cache         = 1.11,
                                       .apart         = 1.83,
                                       .added         = 7.81e-07,
                                       .biased        = 2.32e-07,
                                       .activated     = 0.32,
                                       .kept          = 0.015,
                                       .beside        = 0.25,
                                       .slices        = 1.76,
                                       .slice_bytes   = 0.215,
                                       .slice         = 2.79e-08,
                                       .copy          = 1.7,
                                       .copy_bytes    = 0.994};

}  // namespace Tegula::Impl

#endif
