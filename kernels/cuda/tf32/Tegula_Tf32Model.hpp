// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.871, 0.995, 7890, 27.2}, TileRates{1.04, 0.86, 5060, 25.6},
                                       TileRates{0.861, 0.746, 4420, 23}, TileRates{0.466, 0.7, 2750, 28.9}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0132, 0.0169, 0.0161, 0.0167},
                                      .missed        = {0.527, 0.395, 0.318, 0.447},
                                      .waiting       = 0.527,
                                      .exposed       = 0.0985,
                                      .uneven        = 0.138,
                                      .stored        = {1, 39.2, 19.2, 45.7},
                                      .walked        = {0.105, 0.511, 2.32, 11.5},
                                      .results       = {1, 1.16, 7.37, 1.27},
                                      .memory        = 1.09,
                                      .cache         = 1.99,
                                      .apart         = 0.0223,
                                      .added         = 2.95e-07,
                                      .biased        = 9.95e-07,
                                      .activated     = 0.5,
                                      .kept          = 0.042,
                                      .slices        = 4.18,
                                      .slice_bytes   = 0.191,
                                      .slice         = 2.54e-08,
                                      .copy          = 4.37,
                                      .copy_bytes    = 0.88};

}  // namespace Tegula::Impl

#endif
