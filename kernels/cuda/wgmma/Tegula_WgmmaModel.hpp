// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md), but for `widened`, which is the ratio of bytes.

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.6, 1.51, 4560, 168},  TileRates{1.37, 1.66, 2890, 175},
                                        TileRates{1.39, 1.31, 2950, 199}, TileRates{1.57, 1.39, 3980, 199},
                                        TileRates{1.1, 1.52, 2600, 151},  TileRates{0.865, 3.97, 2490, 462},
                                        TileRates{2.61, 1.28, 2470, 664}, TileRates{2.51, 1.01, 2120, 312}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0195, 0.0181, 0.055, 0.101},
                                       .missed        = {1, 0.0359, 0.5, 0.467},
                                       .waiting       = 1.21,
                                       .exposed       = 0.258,
                                       .uneven        = 0.561,
                                       .stored        = {1, 162, 50.4, 205},
                                       .walked        = {0.0924, 121, 81.1, 157},
                                       .widened       = 2,
                                       .results       = {1, 15.6, 0.583, 17.4},
                                       .memory        = 7.18,
                                       .cache         = 1.12,
                                       .apart         = 3.59,
                                       .added         = 5.45e-07,
                                       .biased        = 2.84e-07,
                                       .activated     = 0.32,
                                       .kept          = 0.015,
                                       .beside        = 0.716,
                                       .slices        = 1.89,
                                       .slice_bytes   = 0.211,
                                       .slice         = 2.67e-08,
                                       .copy          = 1.73,
                                       .copy_bytes    = 1};

}  // namespace Tegula::Impl

#endif
