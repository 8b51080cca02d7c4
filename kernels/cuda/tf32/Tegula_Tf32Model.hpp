// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.829, 0.86, 10600, 36.1}, TileRates{0.86, 0.863, 9290, 47.4},
                                       TileRates{0.752, 0.788, 7450, 38.4}, TileRates{0.409, 0.7, 4950, 41.6}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00615, 0.016, 0.0167, 0.0513},
                                      .missed        = {0.595, 0.339, 0.637, 0.415},
                                      .waiting       = 0.467,
                                      .exposed       = 0.139,
                                      .stored        = {1, 66.3, 1, 1, 49.7, 93.4},
                                      .walked        = {0.22, 4.49, 0.22, 0.22, 2.45, 1.13},
                                      .results       = {1, 1.07, 1, 1, 1.14, 1.01},
                                      .memory        = 0.941,
                                      .cache         = 1.72,
                                      .slices        = 5.04,
                                      .slice_bytes   = 0.102,
                                      .slice         = 1.83e-08,
                                      .copy          = 5,
                                      .copy_bytes    = 0.874};

}  // namespace Tegula::Impl

#endif
