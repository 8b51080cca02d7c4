// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{2.94, 1.53, 3140, 111}, TileRates{2.11, 1.59, 2920, 150},
                                        TileRates{3.39, 1.46, 2550, 190}, TileRates{3.05, 1.28, 2160, 155},
                                        TileRates{3.53, 1.18, 2290, 95.1}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0109, 0.00801, 0.055, 0.055},
                                       .missed        = {1, 0.069, 0.5, 0.5},
                                       .waiting       = 2.67,
                                       .exposed       = 0.229,
                                       .uneven        = 0.884,
                                       .stored        = {1, 59.7, 6.62, 106},
                                       .walked        = {0.0657, 30.4, 25.8, 51.5},
                                       .results       = {1, 20.3, 2.8, 24.4},
                                       .memory        = 3.19,
                                       .cache         = 1.09,
                                       .apart         = 1.1,
                                       .added         = 1.21e-06,
                                       .biased        = 1.74e-07,
                                       .slices        = 4.49,
                                       .slice_bytes   = 0.195,
                                       .slice         = 7.38e-09,
                                       .copy          = 2.45,
                                       .copy_bytes    = 0.904};

}  // namespace Tegula::Impl

#endif
