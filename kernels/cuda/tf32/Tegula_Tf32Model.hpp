// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.997, 0.956, 8950, 18.5}, TileRates{0.922, 0.996, 6580, 27.9},
                                       TileRates{1.1, 1.1, 5670, 20}, TileRates{0.709, 0.713, 3650, 22.8}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0276, 0.00388, 0.0181, 0.0177},
                                      .stored        = {1, 44.3, 1, 1, 33.2, 47.1},
                                      .walked        = {0.185, 2.82, 0.22, 0.22, 1.36, 1.44},
                                      .results       = {1, 1.14, 1, 1, 1.3, 1.01},
                                      .memory        = 1.04,
                                      .cache         = 0.821,
                                      .slices        = 1.78,
                                      .slice_bytes   = 0.0732,
                                      .slice         = 2.37e-08,
                                      .copy          = 2.37,
                                      .copy_bytes    = 0.962};

}  // namespace Tegula::Impl

#endif
