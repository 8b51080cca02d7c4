// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.67, 1.56, 3010, 84.8}, TileRates{1.67, 1.56, 3010, 84.8},
                                        TileRates{2.25, 1.45, 2850, 116},  TileRates{2.54, 1.36, 2450, 139},
                                        TileRates{2.54, 1.36, 2450, 139},  TileRates{1.27, 1.9, 2120, 123},
                                        TileRates{1.27, 1.9, 2120, 123},   TileRates{2.22, 1.05, 2080, 77.4}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0165, 0.0148, 0.055, 0.0885},
                                       .missed        = {1, 0.0378, 0.5, 0.403},
                                       .waiting       = 1.37,
                                       .exposed       = 0.293,
                                       .uneven        = 0.616,
                                       .stored        = {1, 59.1, 9.35, 87.7},
                                       .walked        = {0.0723, 32.5, 22, 54.2},
                                       .results       = {1, 17.5, 1.38, 15.2},
                                       .memory        = 6.71,
                                       .cache         = 1.12,
                                       .apart         = 3.25,
                                       .added         = 4.83e-07,
                                       .biased        = 1.76e-07,
                                       .slices        = 1.99,
                                       .slice_bytes   = 0.237,
                                       .slice         = 2.82e-08,
                                       .copy          = 1.55,
                                       .copy_bytes    = 0.991};

}  // namespace Tegula::Impl

#endif
