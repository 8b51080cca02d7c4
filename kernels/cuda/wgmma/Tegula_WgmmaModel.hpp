// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{3.07, 1.87, 2880, 110}, TileRates{1.82, 2.21, 2670, 130},
                                        TileRates{8.52, 2.33, 2460, 140}, TileRates{2.66, 1.48, 2090, 116},
                                        TileRates{1.52, 1.46, 2080, 59.5}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0119, 0.00411, 0.055, 0.055},
                                       .missed        = {1, 0.0708, 0.5, 0.5},
                                       .waiting       = 2.03,
                                       .exposed       = 0.165,
                                       .uneven        = 1.13,
                                       .stored        = {1, 44.3, 6.35, 88.9, 15.2, 165},
                                       .walked        = {0.0516, 34, 16.2, 38.7, 17.7, 0.737},
                                       .results       = {1, 14.3, 7.21, 17.2, 9.51, 17.3},
                                       .memory        = 2.29,
                                       .cache         = 1.02,
                                       .apart         = 1.16,
                                       .slices        = 5.05,
                                       .slice_bytes   = 0.1,
                                       .slice         = 3.29e-09,
                                       .copy          = 2.4,
                                       .copy_bytes    = 0.906};

}  // namespace Tegula::Impl

#endif
