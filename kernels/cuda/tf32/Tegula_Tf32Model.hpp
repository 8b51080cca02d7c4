// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.877, 1.09, 8260, 28.4}, TileRates{1.13, 0.851, 5680, 34.1},
                                       TileRates{0.73, 0.988, 4790, 28.9}, TileRates{0.472, 0.7, 3090, 33.8}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00829, 0.0166, 0.0137, 0.0335},
                                      .missed        = {0.533, 0.389, 0.367, 0.447},
                                      .waiting       = 0.512,
                                      .exposed       = 0.104,
                                      .uneven        = 0.189,
                                      .stored        = {1, 45.4, 33.6, 54},
                                      .walked        = {0.143, 0.338, 1.84, 13.7},
                                      .results       = {1, 1.4, 1.94, 1.18},
                                      .memory        = 1.16,
                                      .cache         = 1.93,
                                      .apart         = 0.0186,
                                      .added         = 4.91e-07,
                                      .biased        = 1.15e-06,
                                      .slices        = 3.33,
                                      .slice_bytes   = 0.162,
                                      .slice         = 3.41e-08,
                                      .copy          = 5.32,
                                      .copy_bytes    = 1.43};

}  // namespace Tegula::Impl

#endif
