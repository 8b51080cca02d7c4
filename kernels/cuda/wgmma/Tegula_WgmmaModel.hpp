// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.66, 1.5, 2980, 68.9}, TileRates{1.68, 1.39, 2820, 94.4},
                                        TileRates{1.62, 1.31, 2430, 113}, TileRates{1.23, 1.83, 2140, 101},
                                        TileRates{1.28, 1.5, 2060, 63.2}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0133, 0.011, 0.055, 0.0703},
                                       .missed        = {1, 0.0527, 0.5, 0.376},
                                       .waiting       = 1.76,
                                       .exposed       = 0.291,
                                       .uneven        = 0.617,
                                       .stored        = {1, 47, 7.56, 71.4},
                                       .walked        = {0.0686, 26, 18.1, 43.6},
                                       .results       = {1, 17.7, 1.37, 15.4},
                                       .memory        = 8.4,
                                       .cache         = 1.12,
                                       .apart         = 4.04,
                                       .added         = 5.29e-07,
                                       .biased        = 1.84e-07,
                                       .slices        = 1.96,
                                       .slice_bytes   = 0.237,
                                       .slice         = 2.82e-08,
                                       .copy          = 1.53,
                                       .copy_bytes    = 0.985};

}  // namespace Tegula::Impl

#endif
