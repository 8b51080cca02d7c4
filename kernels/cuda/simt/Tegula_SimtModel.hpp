// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{1.03, 0.879, 2490, 25.6, {1, 1.01, 1.04, 1}},
                                       TileRates{0.652, 0.904, 5350, 46.9, {1, 1.19, 1.29, 1.3}},
                                       TileRates{1.31, 0.912, 4130, 29.4, {1, 1.15, 1.07, 1.34}},
                                       TileRates{0.811, 1.08, 5750, 30.7, {1, 0.966, 0.964, 1.11}},
                                       TileRates{0.961, 0.801, 3760, 31.9, {1, 1.48, 1.21, 1.55}},
                                       TileRates{0.502, 0.891, 2430, 15.3, {1, 1.08, 1.12, 1.56}},
                                       TileRates{0.509, 0.893, 2920, 44.7, {1, 1.06, 1.07, 1.1}},
                                       TileRates{0.835, 0.58, 2880, 8.01, {1, 0.961, 0.918, 0.825}},
                                       TileRates{0.73, 0.636, 3730, 12, {1, 0.853, 0.927, 0.919}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00801, 0.0426, 0.0476, 0.0239},
                                      .missed        = {0.327, 0.445, 0.413, 0.621},
                                      .waiting       = 1.48,
                                      .exposed       = 2.8,
                                      .uneven        = 0.188,
                                      .stored        = {1, 2.53, 0.0765, 1.96},
                                      .walked        = {7.26, 16.4, 10.9, 20.9},
                                      .results       = {1, 3.35, 0.766, 2.99},
                                      .memory        = 1.38,
                                      .cache         = 0.809,
                                      .apart         = 0.35,
                                      .added         = 2.86e-07,
                                      .biased        = 3.77e-07,
                                      .slices        = 1.84,
                                      .slice_bytes   = 0.499,
                                      .slice         = 1.11e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
