// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{1.17, 1.13, 4.44e+03, 3.04}, TileRates{1.15, 1.18, 3.99e+03, 3.01},
                                       TileRates{1.1, 1.03, 3.56e+03, 2.78}, TileRates{0.773, 0.817, 2.54e+03, 2.93}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0232, 0.00596, 0.00629, 0.0353},
                                      .stored        = {1, 4.61, 1, 1, 4.76, 23},
                                      .walked        = {0.78, 1, 0.223, 0.223, 1.15, 0.491},
                                      .results       = {1, 0.99, 1, 1, 1.17, 1},
                                      .memory        = 1.4,
                                      .cache         = 1.91,
                                      .slices        = 1.32,
                                      .slice_bytes   = 0.0998,
                                      .slice         = 2.76e-08,
                                      .copy          = 1.53,
                                      .copy_bytes    = 0.795};

}  // namespace Tegula::Impl

#endif
