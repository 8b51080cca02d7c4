// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H100
/// (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{2.46, 1.54, 824, 252},  TileRates{2.64, 1.16, 244, 302},
                                        TileRates{6.45, 1.32, 744, 316},  TileRates{2.81, 1.27, 1460, 151},
                                        TileRates{1.13, 1.04, 81, 189},   TileRates{0.746, 3.97, 2020, 314},
                                        TileRates{4.55, 0.99, 1280, 354}, TileRates{8.22, 1.33, 1010, 167}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0206, 0.016, 0.055, 0.0922},
                                       .missed        = {1, 0.0089, 0.5, 0.318},
                                       .waiting       = 1.49,
                                       .exposed       = 0.237,
                                       .uneven        = 0.571,
                                       .stored        = {1, 1.37, 26.5, 129},
                                       .walked        = {33.5, 60.1, 121, 201},
                                       .widened       = 1.53,
                                       .results       = {1, 1.62, 1.79, 12.4},
                                       .memory        = 7.76,
                                       .cache         = 1.04,
                                       .apart         = 3.19,
                                       .added         = 7.1e-07,
                                       .biased        = 2.02e-07,
                                       .activated     = 0.219,
                                       .kept          = 0.139,
                                       .beside        = 0.328,
                                       .shared        = {1500, 1800, 2400},
                                       .slices        = 2.39,
                                       .slice_bytes   = 0.29,
                                       .slice         = 2.13e-08,
                                       .copy          = 1.55,
                                       .copy_bytes    = 1.25};

}  // namespace Tegula::Impl

#endif
