// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.03, 0.743, 5.2e+03, 39.6}, TileRates{0.887, 0.606, 3.37e+03, 39.7},
                                        TileRates{0.576, 0.863, 3.01e+03, 41.3},
                                        TileRates{0.625, 0.513, 3.66e+03, 34.9},
                                        TileRates{0.529, 0.356, 1.58e+03, 22.9}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.00436, 0.00436, 0.0564, 0.0564},
                                       .stored        = {1, 38.1, 17.2, 38.4, 27.4, 106},
                                       .walked        = {0.048, 20, 9.27, 36.6, 9.86, 23.3},
                                       .results       = {1, 0.952, 0.689, 0.992, 1.11, 1.83},
                                       .memory        = 1.07,
                                       .cache         = 0.831,
                                       .slices        = 1.87,
                                       .slice_bytes   = 0.0741,
                                       .slice         = 1.16e-09,
                                       .copy          = 1.04,
                                       .copy_bytes    = 1.31};

}  // namespace Tegula::Impl

#endif
