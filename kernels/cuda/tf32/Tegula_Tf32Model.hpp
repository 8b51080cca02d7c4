// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.916, 1.12, 8100, 41.3}, TileRates{0.889, 1.17, 6110, 51.8},
                                       TileRates{0.765, 0.929, 4760, 42.9}, TileRates{0.496, 0.7, 3170, 48.1}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00656, 0.0352, 0.0129, 0.0318},
                                      .missed        = {0.553, 0.27, 0.434, 0.477},
                                      .waiting       = 0.671,
                                      .exposed       = 0.156,
                                      .uneven        = 0.282,
                                      .stored        = {1, 55.7, 34.9, 64.1},
                                      .walked        = {0.119, 0.49, 3.15, 18.4},
                                      .results       = {1, 2.71, 8.17, 1.14},
                                      .memory        = 1.17,
                                      .cache         = 1.78,
                                      .apart         = 0.0142,
                                      .added         = 4.13e-07,
                                      .biased        = 9.99e-07,
                                      .slices        = 4.69,
                                      .slice_bytes   = 0.165,
                                      .slice         = 1.79e-08,
                                      .copy          = 4.75,
                                      .copy_bytes    = 1.2};

}  // namespace Tegula::Impl

#endif
