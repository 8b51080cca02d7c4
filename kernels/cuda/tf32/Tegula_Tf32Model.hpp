// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.997, 0.952, 8710, 18.7}, TileRates{0.916, 0.996, 6370, 28.6},
                                       TileRates{1.1, 1.1, 5610, 20.1}, TileRates{0.714, 0.715, 3690, 22.4}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0272, 0.00387, 0.0181, 0.0179},
                                      .stored        = {1, 44.9, 1, 1, 32.4, 47.3},
                                      .walked        = {0.184, 2.86, 0.22, 0.22, 1.36, 1.44},
                                      .results       = {1, 1.14, 1, 1, 1.3, 1.01},
                                      .memory        = 1.07,
                                      .cache         = 0.818,
                                      .slices        = 1.79,
                                      .slice_bytes   = 0.0709,
                                      .slice         = 2.35e-08,
                                      .copy          = 2.33,
                                      .copy_bytes    = 0.948};

}  // namespace Tegula::Impl

#endif
