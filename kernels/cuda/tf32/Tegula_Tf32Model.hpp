// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{1.15, 0.923, 8140, 36.2}, TileRates{0.929, 1.14, 6590, 48.1},
                                       TileRates{0.803, 0.964, 4980, 39.5}, TileRates{0.846, 0.486, 3240, 44.1}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0103, 0.0355, 0.0109, 0.0196},
                                      .missed        = {0.589, 0.198, 0.392, 0.443},
                                      .waiting       = 2.36,
                                      .exposed       = 0.117,
                                      .uneven        = 0.265,
                                      .stored        = {1, 52.1, 34.3, 61.5},
                                      .walked        = {0.118, 0.611, 2.88, 17.1},
                                      .results       = {1, 1.43, 7.53, 1.21},
                                      .memory        = 1.18,
                                      .cache         = 1.78,
                                      .apart         = 0.0124,
                                      .added         = 3.92e-07,
                                      .biased        = 9.09e-07,
                                      .slices        = 4.7,
                                      .slice_bytes   = 0.168,
                                      .slice         = 1.8e-08,
                                      .copy          = 4.77,
                                      .copy_bytes    = 1.19};

}  // namespace Tegula::Impl

#endif
