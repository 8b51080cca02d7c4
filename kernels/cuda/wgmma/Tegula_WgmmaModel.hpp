// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.16, 1.04, 7800, 60.5}, TileRates{1.38, 0.748, 5160, 58.9},
                                        TileRates{2.5, 0.88, 4340, 70.7}, TileRates{1.38, 0.728, 4100, 60.1},
                                        TileRates{0.531, 0.7, 3010, 33.7}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0229, 0.00979, 0.055, 0.055},
                                       .missed        = {1, 0.145, 0.5, 0.5},
                                       .waiting       = 2.2,
                                       .exposed       = 0.347,
                                       .stored        = {1, 107, 13.5, 162, 22.9, 168},
                                       .walked        = {0.0562, 38.5, 15.8, 48.2, 25.1, 55.8},
                                       .results       = {1, 1.08, 1.29, 1.12, 1.6, 1.11},
                                       .memory        = 1.11,
                                       .cache         = 0.934,
                                       .slices        = 5.09,
                                       .slice_bytes   = 0.0996,
                                       .slice         = 1.86e-09,
                                       .copy          = 3.1,
                                       .copy_bytes    = 0.83};

}  // namespace Tegula::Impl

#endif
