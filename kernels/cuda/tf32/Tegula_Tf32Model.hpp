// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.815, 0.874, 9910, 35.5}, TileRates{0.861, 0.841, 8720, 46.5},
                                       TileRates{0.702, 0.76, 6820, 40.3}, TileRates{0.512, 0.7, 5540, 45.4}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.006, 0.0167, 0.017, 0.0529},
                                      .missed        = {0.594, 0.339, 0.637, 0.414},
                                      .waiting       = 0.459,
                                      .exposed       = 0.148,
                                      .stored        = {1, 62.3, 1, 1, 47.7, 96.1},
                                      .walked        = {0.22, 4.55, 0.22, 0.22, 2.51, 1.13},
                                      .results       = {1, 1.07, 1, 1, 1.14, 1.01},
                                      .memory        = 0.969,
                                      .cache         = 1.77,
                                      .slices        = 6.62,
                                      .slice_bytes   = 0.0649,
                                      .slice         = 1.41e-08,
                                      .copy          = 5.01,
                                      .copy_bytes    = 1.07};

}  // namespace Tegula::Impl

#endif
