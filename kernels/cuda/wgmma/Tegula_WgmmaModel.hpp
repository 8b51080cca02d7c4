// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H100
/// (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.41, 2.13, 1130, 567}, TileRates{1.89, 1.49, 63.7, 566},
                                        TileRates{2.31, 1.64, 506, 572},  TileRates{1.95, 1.34, 1840, 334},
                                        TileRates{1.46, 1.2, 24.2, 361},  TileRates{0.783, 25.4, 2250, 670},
                                        TileRates{3.57, 1.25, 1690, 903}, TileRates{13.6, 1.23, 1380, 409}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0227, 0.0163, 0.055, 0.115},
                                       .missed        = {1, 0.0114, 0.5, 0.0676},
                                       .crowded       = 5.37,
                                       .waiting       = 0.531,
                                       .exposed       = 0.44,
                                       .uneven        = 0.581,
                                       .stored        = {1, 1.57, 10.8, 286},
                                       .walked        = {63.8, 141, 257, 494},
                                       .widened       = 1.53,
                                       .results       = {1, 1.8, 2.86, 10.9},
                                       .memory        = 3.16,
                                       .cache         = 1.03,
                                       .apart         = 1.37,
                                       .added         = 3.09e-07,
                                       .biased        = 1.9e-07,
                                       .activated     = 0.239,
                                       .kept          = 0.114,
                                       .beside        = 0.193,
                                       .slices        = 2.71,
                                       .slice_bytes   = 0.308,
                                       .slice         = 2.42e-08,
                                       .copy          = 1.65,
                                       .copy_bytes    = 1.19};

}  // namespace Tegula::Impl

#endif
