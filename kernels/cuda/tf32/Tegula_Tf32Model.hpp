// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{1.95, 1.39, 9650, 121}, TileRates{2.28, 1.28, 7310, 138},
                                       TileRates{2.29, 1.33, 5700, 106}, TileRates{1.08, 0.955, 3160, 119}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0269, 0.0213, 0.0243, 0.0148},
                                      .missed        = {1, 0.256, 0.38, 0.17},
                                      .waiting       = 2,
                                      .exposed       = 1.02,
                                      .uneven        = 0.177,
                                      .stored        = {1, 170, 1.63, 215},
                                      .walked        = {0.0941, 0.948, 4.3, 43.9},
                                      .results       = {1, 1.74, 2.9, 1.56},
                                      .memory        = 1.15,
                                      .cache         = 1.42,
                                      .apart         = 0.0934,
                                      .added         = 4.35e-07,
                                      .biased        = 2.19e-07,
                                      .activated     = 0.5,
                                      .kept          = 0.042,
                                      .slices        = 3.79,
                                      .slice_bytes   = 0.313,
                                      .slice         = 3.26e-08,
                                      .copy          = 3.98,
                                      .copy_bytes    = 0.836};

}  // namespace Tegula::Impl

#endif
