// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H100
/// (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.47, 2.11, 2000, 401}, TileRates{1.3, 1.26, 91.1, 402},
                                        TileRates{4.99, 1.33, 626, 380},  TileRates{1.29, 1.95, 2870, 317},
                                        TileRates{1.06, 1.72, 46.6, 235}, TileRates{0.79, 3.97, 2280, 490},
                                        TileRates{1.61, 1.13, 1780, 690}, TileRates{12.9, 0.98, 1430, 308}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.017, 0.0138, 0.055, 0.163},
                                       .missed        = {1, 0.00914, 0.5, 0.157},
                                       .waiting       = 1.57,
                                       .exposed       = 0.132,
                                       .uneven        = 0.616,
                                       .stored        = {1, 1.95, 17.9, 346},
                                       .walked        = {39, 85.9, 174, 327},
                                       .widened       = 1.53,
                                       .results       = {1, 1.92, 1.96, 9.61},
                                       .memory        = 5.46,
                                       .cache         = 1.01,
                                       .apart         = 2.51,
                                       .added         = 4.57e-07,
                                       .biased        = 1.31e-07,
                                       .activated     = 0.256,
                                       .kept          = 0.104,
                                       .beside        = 0.539,
                                       .slices        = 2.56,
                                       .slice_bytes   = 0.3,
                                       .slice         = 2.7e-08,
                                       .copy          = 1.73,
                                       .copy_bytes    = 1.21};

}  // namespace Tegula::Impl

#endif
