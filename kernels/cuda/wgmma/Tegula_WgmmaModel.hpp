// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H100
/// (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.23, 2.38, 1720, 1940},  TileRates{1.26, 1.41, 474, 1930},
                                        TileRates{2.23, 1.47, 799, 1900},   TileRates{2.42, 1.13, 1880, 1080},
                                        TileRates{0.986, 1.22, 14.4, 1090}, TileRates{0.7, 224, 2460, 2310},
                                        TileRates{3.36, 1.05, 1850, 3110},  TileRates{13.3, 1.07, 1490, 1360}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0184, 0.014, 0.055, 0.101},
                                       .missed        = {1, 0.00269, 0.5, 0.106},
                                       .straddled     = {1, 1.06, 1.7},
                                       .crowded       = 5.87,
                                       .waiting       = 0.348,
                                       .exposed       = 0.364,
                                       .uneven        = 0.51,
                                       .stored        = {1, 97.3, 56.6, 1770},
                                       .walked        = {207, 454, 868, 1610},
                                       .widened       = 1.53,
                                       .results       = {1, 1.52, 2.82, 8.55},
                                       .memory        = 1.3,
                                       .cache         = 1.11,
                                       .apart         = 0.433,
                                       .added         = 3.68e-07,
                                       .biased        = 1.89e-07,
                                       .activated     = 0.245,
                                       .kept          = 0.16,
                                       .beside        = 0.143,
                                       .slices        = 2.69,
                                       .slice_bytes   = 0.323,
                                       .slice         = 2.34e-08,
                                       .copy          = 1.73,
                                       .copy_bytes    = 1.16};

}  // namespace Tegula::Impl

#endif
