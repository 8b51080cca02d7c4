// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.6, 1.43, 3220, 104}, TileRates{1.46, 1.59, 2970, 143},
                                        TileRates{1.93, 1.24, 2570, 172}, TileRates{1.05, 1.78, 2100, 149},
                                        TileRates{1.64, 1.08, 2200, 96.6}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0142, 0.0111, 0.055, 0.055},
                                       .missed        = {1, 0.0776, 0.5, 0.5},
                                       .waiting       = 1.89,
                                       .exposed       = 0.237,
                                       .uneven        = 0.581,
                                       .stored        = {1, 72.4, 11.6, 98.2},
                                       .walked        = {0.0745, 42.3, 27.9, 71.1},
                                       .results       = {1, 19, 1.28, 17.3},
                                       .memory        = 7.23,
                                       .cache         = 1.14,
                                       .apart         = 3.12,
                                       .added         = 4.32e-07,
                                       .biased        = 1.54e-07,
                                       .slices        = 2.06,
                                       .slice_bytes   = 0.237,
                                       .slice         = 3.01e-08,
                                       .copy          = 1.56,
                                       .copy_bytes    = 0.932};

}  // namespace Tegula::Impl

#endif
