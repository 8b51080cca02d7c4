// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.969, 0.878, 7960, 27.3}, TileRates{1.05, 0.859, 5120, 25.7},
                                       TileRates{0.866, 0.746, 4440, 23.1}, TileRates{0.466, 0.7, 2760, 29}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0169, 0.0178, 0.0173, 0.0147},
                                      .missed        = {0.533, 0.376, 0.306, 0.442},
                                      .waiting       = 0.614,
                                      .exposed       = 0.126,
                                      .uneven        = 0.129,
                                      .stored        = {1, 39.5, 18.9, 45.9},
                                      .walked        = {0.104, 0.612, 2.59, 11.7},
                                      .results       = {1, 1.12, 7.44, 1.25},
                                      .memory        = 1.09,
                                      .cache         = 2.09,
                                      .apart         = 0.0214,
                                      .added         = 2.71e-07,
                                      .biased        = 1e-06,
                                      .slices        = 4.22,
                                      .slice_bytes   = 0.193,
                                      .slice         = 2.52e-08,
                                      .copy          = 4.35,
                                      .copy_bytes    = 0.875};

}  // namespace Tegula::Impl

#endif
