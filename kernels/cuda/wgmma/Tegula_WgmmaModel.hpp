// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.73, 1.44, 3130, 93.6}, TileRates{1.42, 1.62, 2930, 130},
                                        TileRates{1.49, 1.79, 2580, 155}, TileRates{1.03, 1.82, 2090, 134},
                                        TileRates{0.953, 1.44, 2090, 89.1}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0133, 0.00675, 0.055, 0.055},
                                       .missed        = {1, 0.0953, 0.5, 0.5},
                                       .waiting       = 2.37,
                                       .exposed       = 0.158,
                                       .uneven        = 0.69,
                                       .stored        = {1, 72.1, 11.5, 99.7},
                                       .walked        = {0.0693, 33.1, 22.6, 58.1},
                                       .results       = {1, 16.3, 1.37, 18.8},
                                       .memory        = 2.73,
                                       .cache         = 1.08,
                                       .apart         = 1.14,
                                       .added         = 7.21e-07,
                                       .biased        = 1.78e-07,
                                       .slices        = 2.69,
                                       .slice_bytes   = 0.204,
                                       .slice         = 4.37e-08,
                                       .copy          = 2.12,
                                       .copy_bytes    = 0.909};

}  // namespace Tegula::Impl

#endif
