// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{1.18, 1.02, 9190, 55.7}, TileRates{2.05, 1.02, 5630, 64.4},
                                       TileRates{1.14, 1.07, 4750, 44.7}, TileRates{0.637, 0.631, 2770, 52.4}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.029, 0.0201, 0.0158, 0.0139},
                                      .missed        = {0.815, 0.352, 0.294, 0.385},
                                      .waiting       = 2.17,
                                      .exposed       = 0.492,
                                      .uneven        = 0.19,
                                      .stored        = {1, 77.4, 10.3, 93.3},
                                      .walked        = {0.099, 0.773, 1.95, 22.6},
                                      .results       = {1, 1.14, 3.41, 1.31},
                                      .memory        = 1.13,
                                      .cache         = 1.69,
                                      .apart         = 0.0463,
                                      .added         = 4.17e-07,
                                      .biased        = 1e-06,
                                      .activated     = 0.5,
                                      .kept          = 0.042,
                                      .slices        = 3.41,
                                      .slice_bytes   = 0.279,
                                      .slice         = 2.52e-08,
                                      .copy          = 3.99,
                                      .copy_bytes    = 0.819};

}  // namespace Tegula::Impl

#endif
