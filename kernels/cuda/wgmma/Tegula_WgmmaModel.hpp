// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{3.15, 1.88, 2880, 110}, TileRates{1.83, 2.21, 2670, 130},
                                        TileRates{8.4, 2.34, 2450, 140}, TileRates{2.73, 1.48, 2080, 116},
                                        TileRates{1.51, 1.45, 2070, 59.3}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0119, 0.00413, 0.055, 0.055},
                                       .missed        = {1, 0.0719, 0.5, 0.5},
                                       .waiting       = 2.02,
                                       .exposed       = 0.168,
                                       .uneven        = 1.13,
                                       .stored        = {1, 45.5, 6.28, 88.3, 15.2, 164},
                                       .walked        = {0.0516, 32.7, 16.1, 38.6, 17.6, 0.732},
                                       .results       = {1, 14.2, 7.21, 17.1, 9.5, 17.2},
                                       .memory        = 2.29,
                                       .cache         = 1.02,
                                       .apart         = 1.16,
                                       .slices        = 5.05,
                                       .slice_bytes   = 0.1,
                                       .slice         = 3.22e-09,
                                       .copy          = 2.4,
                                       .copy_bytes    = 0.906};

}  // namespace Tegula::Impl

#endif
