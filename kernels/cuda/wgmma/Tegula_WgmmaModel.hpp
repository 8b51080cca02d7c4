// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto wgmma_choices = choices_of(WgmmaConfigs());
inline constexpr std::array wgmma_rates{TileRates{1.19, 1.01, 7870, 81.9}, TileRates{1.27, 0.705, 5040, 81.2},
                                        TileRates{1.8, 0.672, 4530, 107}, TileRates{1.27, 0.532, 4690, 93.7},
                                        TileRates{0.64, 0.564, 4610, 59.2}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices       = wgmma_choices,
                                       .rates         = wgmma_rates,
                                       .multiply_adds = &CudaRates::wgmma_half,
                                       .element_bytes = 2,
                                       .sum_bytes     = sizeof(float),
                                       .shortest      = 64,
                                       .fetched       = {0.0223, 0.0133, 0.055, 0.055},
                                       .missed        = {1, 0.0789, 0.5, 0.5},
                                       .waiting       = 2.41,
                                       .exposed       = 0.295,
                                       .stored        = {1, 123, 9.28, 213, 28.7, 214},
                                       .walked        = {0.199, 52.1, 28, 70, 29.9, 110},
                                       .results       = {1, 1.5, 3.57, 2.62, 10.4, 1.4},
                                       .memory        = 1.18,
                                       .cache         = 1.33,
                                       .slices        = 4.95,
                                       .slice_bytes   = 0.0919,
                                       .slice         = 1.46e-09,
                                       .copy          = 2.41,
                                       .copy_bytes    = 1.08};

}  // namespace Tegula::Impl

#endif
