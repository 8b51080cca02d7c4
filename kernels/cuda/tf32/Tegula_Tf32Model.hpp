// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{1.11, 0.981, 8130, 31.7}, TileRates{0.972, 1.27, 6790, 40.5},
                                       TileRates{1.08, 0.876, 5120, 33.9}, TileRates{0.737, 0.665, 3970, 35.4}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00678, 0.0116, 0.0546, 0.0289},
                                      .missed        = {0.57, 0.315, 0.642, 0.431},
                                      .waiting       = 0.423,
                                      .exposed       = 0.204,
                                      .uneven        = 0.232,
                                      .stored        = {1, 45.9, 1, 1, 30.7, 57},
                                      .walked        = {0.263, 3.27, 0.22, 0.22, 0.325, 0.351},
                                      .results       = {1, 1.69, 1, 1, 6.41, 1.12},
                                      .memory        = 0.95,
                                      .cache         = 1.34,
                                      .apart         = 0.0108,
                                      .slices        = 6.38,
                                      .slice_bytes   = 0.0827,
                                      .slice         = 1.76e-08,
                                      .copy          = 5.3,
                                      .copy_bytes    = 0.942};

}  // namespace Tegula::Impl

#endif
