// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.676, 0.93, 5680, 46.5, {1, 1.16, 1.25, 1.33}},
                                       TileRates{0.793, 1.08, 7810, 60, {1, 1.07, 1.06, 1.14}},
                                       TileRates{0.883, 1.08, 5840, 30.9, {1, 1.06, 1.03, 1.16}},
                                       TileRates{1.15, 0.866, 3820, 32.2, {1, 1.29, 1.12, 1.54}},
                                       TileRates{0.541, 0.797, 2310, 15.6, {1, 1.23, 1.24, 1.68}},
                                       TileRates{0.716, 0.846, 2820, 60, {1, 1.07, 1.08, 1.22}},
                                       TileRates{0.275, 0.752, 3630, 60, {1, 1.14, 1.2, 1.24}},
                                       TileRates{0.305, 0.866, 4860, 60, {1, 1.09, 1.12, 1.19}},
                                       TileRates{0.547, 0.917, 3320, 44.7, {1, 1.08, 1.1, 1.15}},
                                       TileRates{0.797, 0.573, 2890, 8.11, {1, 0.997, 0.99, 0.933}},
                                       TileRates{0.685, 0.61, 3590, 13, {1, 0.918, 0.921, 0.955}}};
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
