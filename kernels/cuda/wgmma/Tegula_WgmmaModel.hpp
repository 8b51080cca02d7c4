// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.24, 0.856, 6740, 77.8}, TileRates{0.89, 0.895, 6140, 88.1},
                                        TileRates{3.09, 0.813, 4620, 109}, TileRates{1.64, 0.707, 4300, 71.3},
                                        TileRates{0.546, 0.7, 3220, 46}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0156, 0.00719, 0.055, 0.055},
                                       .missed        = {1, 0.164, 0.5, 0.5},
                                       .waiting       = 3.29,
                                       .exposed       = 0.286,
                                       .stored        = {1, 71, 11.5, 68.9, 20.9, 133},
                                       .walked        = {0.113, 57.1, 29.4, 82.9, 34.8, 88},
                                       .results       = {1, 1.32, 3.47, 1.66, 10.6, 1.41},
                                       .memory        = 1.18,
                                       .cache         = 0.917,
                                       .slices        = 4.89,
                                       .slice_bytes   = 0.099,
                                       .slice         = 1.99e-09,
                                       .copy          = 3.01,
                                       .copy_bytes    = 0.821};

}  // namespace Tegula::Impl

#endif
