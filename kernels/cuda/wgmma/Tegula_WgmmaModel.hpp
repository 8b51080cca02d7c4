// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{2.75, 1.48, 3140, 133}, TileRates{2.29, 1.58, 3010, 183},
                                        TileRates{3.05, 1.44, 2630, 235}, TileRates{2.27, 1.28, 2230, 201},
                                        TileRates{2.83, 1.17, 2370, 120}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.00994, 0.00716, 0.055, 0.055},
                                       .missed        = {1, 0.0596, 0.5, 0.5},
                                       .waiting       = 2.92,
                                       .exposed       = 0.304,
                                       .uneven        = 0.832,
                                       .stored        = {1, 87, 4, 135},
                                       .walked        = {0.071, 37.9, 34.6, 65.8},
                                       .results       = {1, 20.4, 3.45, 24},
                                       .memory        = 3.12,
                                       .cache         = 1.1,
                                       .apart         = 1.07,
                                       .added         = 1.24e-06,
                                       .biased        = 1.82e-07,
                                       .slices        = 4.49,
                                       .slice_bytes   = 0.197,
                                       .slice         = 7.25e-09,
                                       .copy          = 2.44,
                                       .copy_bytes    = 0.904};

}  // namespace Tegula::Impl

#endif
