// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.05, 1.05, 1.22e+04, 32.3}, TileRates{0.887, 0.489, 3.96e+03, 34.7},
                                        TileRates{0.604, 0.863, 3.98e+03, 35}, TileRates{0.625, 0.511, 4.3e+03, 25.5},
                                        TileRates{0.505, 0.34, 2.1e+03, 20.9}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.00265, 0.00265, 0.0564, 0.0564},
                                       .stored        = {1, 46.3, 10.9, 41.8, 24.6, 75.9},
                                       .walked        = {0.0514, 17.6, 12, 38.7, 13.9, 41.1},
                                       .results       = {1, 0.939, 0.68, 0.993, 1.13, 1.77},
                                       .memory        = 1.92,
                                       .cache         = 1.7,
                                       .slices        = 2.34,
                                       .slice_bytes   = 0.089,
                                       .slice         = 1.07e-09,
                                       .copy          = 0.833,
                                       .copy_bytes    = 3.83};

}  // namespace Tegula::Impl

#endif
