// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{0.896, 1.02, 6390, 30.4}, TileRates{0.737, 0.923, 3770, 31.6},
                                        TileRates{1.08, 0.803, 3470, 38.5}, TileRates{0.616, 0.719, 3550, 41.1},
                                        TileRates{0.398, 0.7, 2130, 26}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.00585, 0.011, 0.055, 0.055},
                                       .stored        = {1, 33.7, 12.1, 104, 14.2, 78.4},
                                       .walked        = {0.0534, 22.8, 7.77, 40.5, 13.4, 44},
                                       .results       = {1, 1.16, 0.788, 1.81, 9.32, 2.2},
                                       .memory        = 1.3,
                                       .cache         = 0.726,
                                       .slices        = 2.26,
                                       .slice_bytes   = 0.0922,
                                       .slice         = 9.83e-10,
                                       .copy          = 0.962,
                                       .copy_bytes    = 0.872};

}  // namespace Tegula::Impl

#endif
