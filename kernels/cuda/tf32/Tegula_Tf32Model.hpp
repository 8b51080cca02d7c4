// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.999, 0.999, 5.55e+03, 3.08}, TileRates{1.05, 1.04, 4.62e+03, 3.02},
                                       TileRates{1.1, 0.947, 5.7e+03, 2.99}, TileRates{0.657, 0.697, 2.47e+03, 2.81}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0459, 0.00473, 0.00592, 0.0276},
                                      .stored        = {1, 3.35, 1, 1, 5.96, 24.9},
                                      .walked        = {0.851, 1.76, 0.223, 0.223, 1.71, 0.49},
                                      .results       = {1, 0.986, 1, 1, 1.17, 1},
                                      .memory        = 1.37,
                                      .cache         = 2.09,
                                      .slices        = 1.3,
                                      .slice_bytes   = 0.0758,
                                      .slice         = 3e-08,
                                      .copy          = 1.79,
                                      .copy_bytes    = 0.61};

}  // namespace Tegula::Impl

#endif
