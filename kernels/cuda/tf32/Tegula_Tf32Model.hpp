// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.868, 0.871, 11900, 29.4}, TileRates{0.844, 0.828, 8610, 39.6},
                                       TileRates{0.879, 0.908, 7620, 30.4}, TileRates{0.489, 0.7, 5470, 32.4}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00817, 0.00696, 0.0223, 0.0613},
                                      .missed        = {0.58, 0.416, 0.636, 0.416},
                                      .waiting       = 0.57,
                                      .exposed       = 0.128,
                                      .stored        = {1, 57.5, 1, 1, 41.9, 74.7},
                                      .walked        = {0.203, 3.76, 0.22, 0.22, 1.92, 0.878},
                                      .results       = {1, 1.14, 1, 1, 1.11, 1.01},
                                      .memory        = 0.912,
                                      .cache         = 1.04,
                                      .slices        = 4.7,
                                      .slice_bytes   = 0.0833,
                                      .slice         = 1.96e-08,
                                      .copy          = 5.09,
                                      .copy_bytes    = 0.881};

}  // namespace Tegula::Impl

#endif
