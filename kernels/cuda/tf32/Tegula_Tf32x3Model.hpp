// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32X3_MODEL_HPP
#define TEGULA_TF32X3_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32x3 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32x3_choices = choices_of(Tf32x3Configs());
inline constexpr std::array tf32x3_rates{TileRates{0.595, 1.5, 1500, 49.2}, TileRates{0.231, 1.5, 1520, 42}};
static_assert(tf32x3_rates.size() == tf32x3_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32x3_model{.choices       = tf32x3_choices,
                                        .rates         = tf32x3_rates,
                                        .multiply_adds = &CudaRates::wgmma_tf32,
                                        .element_bytes = sizeof(float),
                                        .sum_bytes     = sizeof(float),
                                        .shortest      = 64,
                                        .fetched       = {0.021, 0.0289, 0.0149, 0.0188},
                                        .missed        = {1, 0.449, 0.272, 1},
                                        .waiting       = 2.64,
                                        .exposed       = 0.564,
                                        .uneven        = 0.787,
                                        .stored        = {1, 11.4, 1.36, 53.8},
                                        .walked        = {13.5, 32.3, 16.1, 19.8},
                                        .results       = {1, 6.81, 1.45, 1.5},
                                        .memory        = 2,
                                        .cache         = 0.558,
                                        .apart         = 0.457,
                                        .added         = 4.48e-08,
                                        .biased        = 4.08e-08,
                                        .activated     = 0.5,
                                        .kept          = 0.042,
                                        .slices        = 3.29,
                                        .slice_bytes   = 0.498,
                                        .slice         = 2.31e-08,
                                        .copy          = 3.29,
                                        .copy_bytes    = 0.906};

}  // namespace Tegula::Impl

#endif
