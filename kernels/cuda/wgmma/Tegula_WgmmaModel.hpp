// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.86, 1.45, 3170, 97.6}, TileRates{2.43, 1.33, 2960, 132},
                                        TileRates{3.72, 1.27, 2670, 164}, TileRates{1.89, 1, 2200, 142},
                                        TileRates{1.12, 1.62, 2190, 94.2}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0218, 0.0127, 0.055, 0.055},
                                       .missed        = {1, 0.0638, 0.5, 0.5},
                                       .waiting       = 1.38,
                                       .exposed       = 0.19,
                                       .uneven        = 0.58,
                                       .stored        = {1, 66.8, 9.58, 86.2},
                                       .walked        = {0.0708, 39.2, 26, 69.4},
                                       .results       = {1, 18.7, 1.39, 17.1},
                                       .memory        = 7.3,
                                       .cache         = 1.13,
                                       .apart         = 3.23,
                                       .added         = 4.53e-07,
                                       .biased        = 1.37e-07,
                                       .slices        = 1.91,
                                       .slice_bytes   = 0.24,
                                       .slice         = 2.91e-08,
                                       .copy          = 1.74,
                                       .copy_bytes    = 0.926};

}  // namespace Tegula::Impl

#endif
