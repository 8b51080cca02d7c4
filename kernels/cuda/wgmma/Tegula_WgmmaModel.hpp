// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.23, 1.06, 6390, 56.1}, TileRates{1.29, 0.704, 5260, 60.2},
                                        TileRates{2.24, 0.735, 4240, 69.8}, TileRates{1.35, 0.568, 4100, 60.8},
                                        TileRates{0.537, 0.7, 3130, 34}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0211, 0.0122, 0.055, 0.055},
                                       .missed        = {1, 0.141, 0.5, 0.5},
                                       .waiting       = 2.41,
                                       .exposed       = 0.313,
                                       .stored        = {1, 88.8, 15, 145, 25, 166},
                                       .walked        = {0.0561, 36.5, 15.4, 49, 23.4, 71.5},
                                       .results       = {1, 1.08, 1.31, 1.13, 1.58, 1.11},
                                       .memory        = 1.13,
                                       .cache         = 1.2,
                                       .slices        = 4.57,
                                       .slice_bytes   = 0.0887,
                                       .slice         = 2.06e-09,
                                       .copy          = 3.31,
                                       .copy_bytes    = 1.04};

}  // namespace Tegula::Impl

#endif
