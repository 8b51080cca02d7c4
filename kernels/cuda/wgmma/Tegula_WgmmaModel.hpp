// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H100
/// (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{2.03, 1.49, 1320, 431}, TileRates{2.84, 1.32, 151, 461},
                                        TileRates{5.24, 1.54, 361, 436},  TileRates{1.24, 1.75, 1670, 269},
                                        TileRates{1.78, 1.37, 46.5, 287}, TileRates{0.865, 3.97, 1840, 421},
                                        TileRates{5.42, 1.13, 1120, 433}, TileRates{8.76, 0.959, 953, 231}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0213, 0.0142, 0.055, 0.0898},
                                       .missed        = {1, 0.0119, 0.5, 0.32},
                                       .waiting       = 1.29,
                                       .exposed       = 0.169,
                                       .uneven        = 0.664,
                                       .stored        = {1, 1.85, 11.2, 286},
                                       .walked        = {48.7, 101, 173, 298},
                                       .widened       = 1.53,
                                       .results       = {1, 1.64, 2.73, 8.73},
                                       .memory        = 5.35,
                                       .cache         = 1.06,
                                       .apart         = 2.53,
                                       .added         = 3.03e-07,
                                       .biased        = 2.32e-07,
                                       .activated     = 0.233,
                                       .kept          = 0.112,
                                       .beside        = 0.544,
                                       .slices        = 2.58,
                                       .slice_bytes   = 0.279,
                                       .slice         = 3.26e-08,
                                       .copy          = 1.92,
                                       .copy_bytes    = 1.17};

}  // namespace Tegula::Impl

#endif
