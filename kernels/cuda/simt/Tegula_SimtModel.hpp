// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.643, 0.903, 5310, 46.5, {1, 1.19, 1.29, 1.31}},
                                       TileRates{1.38, 0.91, 4070, 28.8, {1, 1.15, 1.07, 1.36}},
                                       TileRates{0.801, 1.07, 5780, 30.9, {1, 0.971, 0.968, 1.13}},
                                       TileRates{0.921, 0.799, 3770, 32.2, {1, 1.5, 1.22, 1.55}},
                                       TileRates{0.493, 0.885, 2450, 15.6, {1, 1.09, 1.13, 1.6}},
                                       TileRates{0.499, 0.89, 2900, 44.7, {1, 1.06, 1.08, 1.11}},
                                       TileRates{0.777, 0.573, 2900, 8.11, {1, 0.991, 0.931, 0.844}},
                                       TileRates{0.885, 0.625, 3870, 13, {1, 0.836, 0.929, 0.919}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00801, 0.0456, 0.0509, 0.0247},
                                      .missed        = {0.301, 0.466, 0.434, 0.626},
                                      .waiting       = 1.42,
                                      .exposed       = 2.66,
                                      .uneven        = 0.188,
                                      .stored        = {1, 2.98, 0.077, 2.11},
                                      .walked        = {7.25, 16.2, 11, 21.1},
                                      .results       = {1, 3.37, 0.714, 2.91},
                                      .memory        = 1.38,
                                      .cache         = 0.813,
                                      .apart         = 0.352,
                                      .added         = 2.84e-07,
                                      .biased        = 3.78e-07,
                                      .activated     = 0.276,
                                      .kept          = 0.0828,
                                      .slices        = 1.83,
                                      .slice_bytes   = 0.493,
                                      .slice         = 1.11e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
