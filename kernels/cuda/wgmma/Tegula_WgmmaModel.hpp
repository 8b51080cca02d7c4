// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{2.75, 1.51, 3120, 107}, TileRates{2.11, 1.58, 2960, 143},
                                        TileRates{3.15, 1.45, 2600, 185}, TileRates{2.51, 1.29, 2210, 156},
                                        TileRates{3.06, 1.18, 2340, 93.6}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0108, 0.00792, 0.055, 0.055},
                                       .missed        = {1, 0.0749, 0.5, 0.5},
                                       .waiting       = 2.69,
                                       .exposed       = 0.248,
                                       .uneven        = 0.852,
                                       .stored        = {1, 61.4, 3.34, 106},
                                       .walked        = {0.0652, 30, 27, 50.9},
                                       .results       = {1, 20.2, 3.5, 24},
                                       .memory        = 3.12,
                                       .cache         = 1.1,
                                       .apart         = 1.08,
                                       .added         = 1.27e-06,
                                       .biased        = 1.8e-07,
                                       .slices        = 4.49,
                                       .slice_bytes   = 0.196,
                                       .slice         = 7.2e-09,
                                       .copy          = 2.43,
                                       .copy_bytes    = 0.902};

}  // namespace Tegula::Impl

#endif
