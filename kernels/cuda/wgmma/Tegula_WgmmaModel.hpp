// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.25, 1, 7910, 83.6}, TileRates{1.13, 0.781, 5070, 80.7},
                                        TileRates{1.86, 0.661, 4480, 108}, TileRates{1.42, 0.51, 4640, 94.7},
                                        TileRates{0.638, 0.55, 4560, 60.7}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0221, 0.0141, 0.055, 0.055},
                                       .missed        = {1, 0.0809, 0.5, 0.5},
                                       .waiting       = 2.49,
                                       .exposed       = 0.313,
                                       .uneven        = 0.3,
                                       .stored        = {1, 119, 8.59, 215, 28.4, 216},
                                       .walked        = {0.199, 55.6, 29.6, 74.2, 30.1, 111},
                                       .results       = {1, 1.5, 3.68, 2.63, 10.8, 1.41},
                                       .memory        = 1.23,
                                       .cache         = 1.59,
                                       .slices        = 4.93,
                                       .slice_bytes   = 0.0897,
                                       .slice         = 1.51e-09,
                                       .copy          = 2.34,
                                       .copy_bytes    = 1.06};

}  // namespace Tegula::Impl

#endif
