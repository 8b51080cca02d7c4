// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{1.11, 0.983, 8120, 31.3}, TileRates{0.975, 1.26, 6800, 40.1},
                                       TileRates{1.08, 0.877, 5100, 33.6}, TileRates{0.731, 0.666, 3950, 35}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00669, 0.0117, 0.0533, 0.0294},
                                      .missed        = {0.569, 0.316, 0.649, 0.431},
                                      .waiting       = 0.433,
                                      .exposed       = 0.201,
                                      .uneven        = 0.235,
                                      .stored        = {1, 45.4, 1, 1, 30.3, 56.1},
                                      .walked        = {0.265, 3.2, 0.22, 0.22, 0.322, 0.351},
                                      .results       = {1, 1.69, 1, 1, 6.4, 1.12},
                                      .memory        = 0.949,
                                      .cache         = 1.34,
                                      .apart         = 0.011,
                                      .slices        = 6.35,
                                      .slice_bytes   = 0.0829,
                                      .slice         = 1.77e-08,
                                      .copy          = 5.3,
                                      .copy_bytes    = 0.942};

}  // namespace Tegula::Impl

#endif
