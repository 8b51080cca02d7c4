// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.83, 0.848, 10800, 16.7}, TileRates{0.528, 0.755, 7990, 19.2},
                                       TileRates{1.62, 0.706, 7190, 34.4},  TileRates{1.52, 0.555, 4650, 90.2},
                                       TileRates{0.411, 0.642, 4230, 20.2}, TileRates{0.285, 0.294, 3140, 28.4},
                                       TileRates{0.283, 0.326, 3590, 21.5}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00146, 0.103, 0.0924, 0.0745},
                                      .missed        = {1, 1, 1, 1},
                                      .waiting       = 2.79,
                                      .exposed       = 1.88,
                                      .stored        = {1, 11.1, 1, 1, 11.2, 19.9},
                                      .walked        = {0.417, 8.59, 0.22, 0.22, 0.0538, 12.9},
                                      .results       = {1, 0.521, 1, 1, 5.25, 0.652},
                                      .memory        = 0.742,
                                      .cache         = 2.64,
                                      .slices        = 3.23,
                                      .slice_bytes   = 0.142,
                                      .slice         = 2.78e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
