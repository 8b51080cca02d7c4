// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{1.03, 0.878, 2500, 25.5, {1, 1.01, 1.04, 1}},
                                       TileRates{0.646, 0.903, 5350, 46.8, {1, 1.19, 1.29, 1.3}},
                                       TileRates{1.32, 0.91, 4140, 29.3, {1, 1.15, 1.07, 1.35}},
                                       TileRates{0.803, 1.07, 5760, 30.6, {1, 0.966, 0.964, 1.12}},
                                       TileRates{0.936, 0.799, 3760, 31.6, {1, 1.47, 1.21, 1.52}},
                                       TileRates{0.494, 0.886, 2430, 15.3, {1, 1.08, 1.12, 1.56}},
                                       TileRates{0.502, 0.89, 2920, 44.8, {1, 1.06, 1.07, 1.1}},
                                       TileRates{0.793, 0.576, 2880, 7.93, {1, 0.966, 0.927, 0.825}},
                                       TileRates{0.901, 0.625, 3850, 12.7, {1, 0.837, 0.911, 0.904}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00771, 0.0429, 0.0479, 0.0236},
                                      .missed        = {0.301, 0.444, 0.418, 0.633},
                                      .waiting       = 1.44,
                                      .exposed       = 2.78,
                                      .uneven        = 0.189,
                                      .stored        = {1, 2.52, 0.0765, 1.97},
                                      .walked        = {7.26, 16.3, 10.9, 20.8},
                                      .results       = {1, 3.33, 0.765, 2.99},
                                      .memory        = 1.37,
                                      .cache         = 0.812,
                                      .apart         = 0.347,
                                      .added         = 2.88e-07,
                                      .biased        = 3.76e-07,
                                      .slices        = 1.84,
                                      .slice_bytes   = 0.497,
                                      .slice         = 1.1e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
