// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{0.871, 0.856, 10900, 38.9}, TileRates{0.82, 0.899, 8450, 52.7},
                                       TileRates{0.74, 0.694, 5750, 44.5}, TileRates{0.521, 0.7, 4850, 47.1}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00659, 0.0119, 0.0342, 0.0301},
                                      .missed        = {0.577, 0.324, 0.711, 0.433},
                                      .waiting       = 0.572,
                                      .exposed       = 0.138,
                                      .uneven        = 0.3,
                                      .stored        = {1, 65, 1, 1, 55.9, 90.3},
                                      .walked        = {0.261, 5.48, 0.22, 0.22, 0.988, 0.329},
                                      .results       = {1, 1.07, 1, 1, 1.16, 1.03},
                                      .memory        = 0.982,
                                      .cache         = 2,
                                      .slices        = 7.31,
                                      .slice_bytes   = 0.0635,
                                      .slice         = 1.47e-08,
                                      .copy          = 5.37,
                                      .copy_bytes    = 1.13};

}  // namespace Tegula::Impl

#endif
