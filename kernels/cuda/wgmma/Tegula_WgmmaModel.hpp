// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H100
/// (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.57, 2.48, 1210, 553}, TileRates{1.71, 1.55, 50.7, 608},
                                        TileRates{2.31, 1.85, 291, 521},  TileRates{1.95, 1.56, 2310, 491},
                                        TileRates{1.16, 1.29, 35.1, 377}, TileRates{0.868, 18.2, 1920, 614},
                                        TileRates{3.57, 1.37, 1410, 831}, TileRates{13.6, 1.25, 1120, 379}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0203, 0.0143, 0.055, 0.115},
                                       .missed        = {1, 0.00943, 0.5, 0.0531},
                                       .crowded       = 6.14,
                                       .waiting       = 0.581,
                                       .exposed       = 0.464,
                                       .uneven        = 0.739,
                                       .stored        = {1, 1.52, 9.54, 309},
                                       .walked        = {59.7, 124, 235, 428},
                                       .widened       = 1.53,
                                       .results       = {1, 1.9, 2.59, 10.3},
                                       .memory        = 3.57,
                                       .cache         = 1.01,
                                       .apart         = 1.55,
                                       .added         = 3.96e-07,
                                       .biased        = 1.82e-07,
                                       .activated     = 0.241,
                                       .kept          = 0.0843,
                                       .beside        = 0.579,
                                       .slices        = 2.85,
                                       .slice_bytes   = 0.308,
                                       .slice         = 2.54e-08,
                                       .copy          = 1.68,
                                       .copy_bytes    = 1.19};

}  // namespace Tegula::Impl

#endif
