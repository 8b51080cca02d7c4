// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{1.1, 0.975, 1750, 18.6, {1, 0.96, 0.994, 0.907}},
                                       TileRates{0.657, 0.865, 5370, 44.4, {1, 1.13, 1.13, 1.28}},
                                       TileRates{1.33, 0.925, 3360, 21.9, {1, 1.04, 1, 1.32}},
                                       TileRates{0.789, 0.995, 5860, 26.6, {1, 1.22, 1.21, 1.19}},
                                       TileRates{0.899, 0.74, 3380, 25.2, {1, 1.42, 1.28, 1.76}},
                                       TileRates{0.504, 0.857, 2220, 13.9, {1, 1.05, 1.09, 1.49}},
                                       TileRates{0.523, 0.868, 3030, 45.3, {1, 1.09, 1.09, 1.09}},
                                       TileRates{0.875, 0.57, 2560, 6.14, {1, 0.924, 0.917, 0.798}},
                                       TileRates{0.679, 0.601, 3340, 9.44, {1, 0.876, 0.94, 0.901}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00671, 0.0462, 0.0534, 0.0281},
                                      .missed        = {0.228, 0.457, 0.404, 0.627},
                                      .waiting       = 1.58,
                                      .exposed       = 2.41,
                                      .uneven        = 0.187,
                                      .stored        = {1, 3.38, 0.133, 3.05},
                                      .walked        = {6.22, 12.1, 10.4, 15.1},
                                      .results       = {1, 3.09, 0.573, 2.91},
                                      .memory        = 1.24,
                                      .cache         = 0.779,
                                      .apart         = 0.273,
                                      .added         = 3.05e-07,
                                      .biased        = 4.58e-07,
                                      .slices        = 1.74,
                                      .slice_bytes   = 0.467,
                                      .slice         = 1.3e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
