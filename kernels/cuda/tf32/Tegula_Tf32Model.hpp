// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.922, 1.16, 7900, 37.8}, TileRates{0.899, 1.21, 5950, 46.1},
                                       TileRates{0.783, 1.03, 4670, 39}, TileRates{0.51, 0.7, 3110, 43.3}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00642, 0.0276, 0.0143, 0.0375},
                                      .missed        = {0.549, 0.308, 0.427, 0.473},
                                      .waiting       = 0.708,
                                      .exposed       = 0.157,
                                      .uneven        = 0.309,
                                      .stored        = {1, 48.8, 31.2, 57.4},
                                      .walked        = {0.127, 0.424, 2.84, 16.1},
                                      .results       = {1, 2.96, 8.33, 1.14},
                                      .memory        = 1.17,
                                      .cache         = 1.53,
                                      .apart         = 0.0178,
                                      .added         = 4.07e-07,
                                      .biased        = 9.92e-07,
                                      .slices        = 4.62,
                                      .slice_bytes   = 0.165,
                                      .slice         = 1.84e-08,
                                      .copy          = 4.72,
                                      .copy_bytes    = 1.23};

}  // namespace Tegula::Impl

#endif
