// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.849, 0.865, 10800, 38.6}, TileRates{0.823, 0.906, 8440, 53},
                                       TileRates{0.74, 0.695, 5740, 44.5}, TileRates{0.523, 0.7, 4850, 47}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00639, 0.0129, 0.0302, 0.0328},
                                      .missed        = {0.577, 0.324, 0.714, 0.433},
                                      .waiting       = 0.593,
                                      .exposed       = 0.134,
                                      .stored        = {1, 64.9, 1, 1, 55.6, 89.5},
                                      .walked        = {0.262, 5.41, 0.22, 0.22, 0.983, 0.329},
                                      .results       = {1, 1.07, 1, 1, 1.16, 1.03},
                                      .memory        = 0.983,
                                      .cache         = 1.96,
                                      .slices        = 7.24,
                                      .slice_bytes   = 0.0639,
                                      .slice         = 1.48e-08,
                                      .copy          = 5.36,
                                      .copy_bytes    = 1.11};

}  // namespace Tegula::Impl

#endif
