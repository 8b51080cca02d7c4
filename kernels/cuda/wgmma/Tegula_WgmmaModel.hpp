// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{3.17, 1.83, 2900, 125}, TileRates{1.8, 2.08, 2700, 140},
                                        TileRates{2.97, 2.08, 2390, 156}, TileRates{1.36, 2.18, 2080, 124},
                                        TileRates{1.17, 1.37, 2110, 69.3}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0127, 0.00426, 0.055, 0.055},
                                       .missed        = {1, 0.11, 0.5, 0.5},
                                       .waiting       = 2.02,
                                       .exposed       = 0.146,
                                       .uneven        = 1.04,
                                       .stored        = {1, 56.7, 12.4, 110},
                                       .walked        = {0.0468, 23.6, 19.1, 35.5},
                                       .results       = {1, 16.2, 6.66, 18.4},
                                       .memory        = 1.76,
                                       .cache         = 0.984,
                                       .apart         = 0.705,
                                       .added         = 9.5e-07,
                                       .biased        = 2.11e-07,
                                       .slices        = 4.5,
                                       .slice_bytes   = 0.098,
                                       .slice         = 8.41e-09,
                                       .copy          = 2.36,
                                       .copy_bytes    = 0.88};

}  // namespace Tegula::Impl

#endif
