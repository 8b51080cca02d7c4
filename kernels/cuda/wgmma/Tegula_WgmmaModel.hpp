// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md), but for `widened`, which is the ratio of bytes.

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{2.25, 1.72, 5050, 375}, TileRates{2.12, 1.27, 3620, 431},
                                        TileRates{2.45, 1.51, 3330, 429}, TileRates{2.23, 1.5, 5130, 230},
                                        TileRates{1.32, 1.22, 3020, 261}, TileRates{0.98, 3.97, 3080, 501},
                                        TileRates{5.38, 1.35, 2390, 697}, TileRates{5.33, 1.72, 2090, 297}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0207, 0.014, 0.055, 0.0839},
                                       .missed        = {0.901, 0.0183, 0.5, 0.323},
                                       .waiting       = 1.34,
                                       .exposed       = 0.324,
                                       .uneven        = 0.64,
                                       .stored        = {1, 3.78, 26.9, 347},
                                       .walked        = {0.142, 38.4, 121, 239},
                                       .widened       = 1.68,
                                       .results       = {1, 1.48, 2.1, 8.82},
                                       .memory        = 7.88,
                                       .cache         = 1.03,
                                       .apart         = 3.66,
                                       .added         = 4.36e-07,
                                       .biased        = 2.96e-07,
                                       .activated     = 0.218,
                                       .kept          = 0.111,
                                       .beside        = 0.317,
                                       .slices        = 2.09,
                                       .slice_bytes   = 0.31,
                                       .slice         = 1.91e-08,
                                       .copy          = 1.83,
                                       .copy_bytes    = 1.26};

}  // namespace Tegula::Impl

#endif
