// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_MODEL_HPP
#define TEGULA_TF32_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Tf32Config.hpp"

/// What the planner knows of the tf32 family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto tf32_choices = choices_of(Tf32Configs());
inline constexpr std::array tf32_rates{TileRates{1.04, 0.954, 7940, 44.8}, TileRates{0.951, 1.15, 6100, 55.2},
                                       TileRates{1, 0.831, 4640, 46.8}, TileRates{0.644, 0.643, 3370, 45.7}};
static_assert(tf32_rates.size() == tf32_choices.size(), "every configuration has rates");
inline constexpr TileModel tf32_model{.choices       = tf32_choices,
                                      .rates         = tf32_rates,
                                      .multiply_adds = &CudaRates::wgmma_tf32,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00508, 0.019, 0.0211, 0.0392},
                                      .missed        = {0.552, 0.4, 0.52, 0.486},
                                      .waiting       = 0.762,
                                      .exposed       = 0.131,
                                      .uneven        = 0.256,
                                      .stored        = {1, 61.1, 45, 69},
                                      .walked        = {0.141, 0.349, 3.55, 20.5},
                                      .results       = {1, 2.31, 6.34, 1.15},
                                      .memory        = 0.987,
                                      .cache         = 1.35,
                                      .apart         = 0.0123,
                                      .added         = 4.87e-07,
                                      .biased        = 1.13e-06,
                                      .slices        = 6.13,
                                      .slice_bytes   = 0.0882,
                                      .slice         = 1.81e-08,
                                      .copy          = 4.7,
                                      .copy_bytes    = 1.25};

}  // namespace Tegula::Impl

#endif
