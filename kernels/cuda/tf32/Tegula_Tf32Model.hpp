// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.867, 0.995, 7950, 27.4}, TileRates{1.03, 0.855, 5110, 25.8},
                                       TileRates{0.861, 0.742, 4450, 23.2}, TileRates{0.464, 0.7, 2760, 29.1}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0132, 0.017, 0.0161, 0.0166},
                                      .missed        = {0.527, 0.395, 0.318, 0.447},
                                      .waiting       = 0.526,
                                      .exposed       = 0.0984,
                                      .uneven        = 0.13,
                                      .stored        = {1, 39.6, 19.2, 46.3},
                                      .walked        = {0.105, 0.512, 2.45, 11.6},
                                      .results       = {1, 1.16, 7.37, 1.27},
                                      .memory        = 1.09,
                                      .cache         = 2.05,
                                      .apart         = 0.0223,
                                      .added         = 2.96e-07,
                                      .biased        = 1e-06,
                                      .slices        = 4.2,
                                      .slice_bytes   = 0.192,
                                      .slice         = 2.53e-08,
                                      .copy          = 4.36,
                                      .copy_bytes    = 0.878};

}  // namespace Tegula::Impl

#endif
