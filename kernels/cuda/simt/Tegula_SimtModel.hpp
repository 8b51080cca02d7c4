// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.931, 0.99, 4560, 68.6, {1, 0.916, 0.99, 0.853}},
                                       TileRates{0.668, 0.993, 5280, 96.2, {1, 0.944, 1.02, 0.863}},
                                       TileRates{0.835, 0.857, 4020, 88.2, {1, 0.964, 1.02, 1}},
                                       TileRates{0.778, 1.06, 5620, 88.8, {1, 0.697, 0.753, 0.703}},
                                       TileRates{0.736, 0.726, 3430, 103, {1, 0.948, 0.975, 0.749}},
                                       TileRates{0.501, 0.79, 2630, 65.8, {1, 0.819, 0.728, 0.672}},
                                       TileRates{0.495, 0.887, 2930, 100, {1, 0.982, 0.768, 0.731}},
                                       TileRates{0.506, 0.524, 3120, 39.2, {1, 0.472, 1.08, 0.447}},
                                       TileRates{0.543, 0.539, 3430, 43.1, {1, 0.971, 0.461, 0.464}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00111, 0.00374, 0.0311, 0.106},
                                      .missed        = {1, 1, 1, 1},
                                      .waiting       = 2.14,
                                      .exposed       = 0.509,
                                      .uneven        = 0.324,
                                      .stored        = {1, 49.9, 0.622, 34.5},
                                      .walked        = {9.56, 34.2, 25.9, 49.7},
                                      .results       = {1, 0.0904, 0.46, 0.0771},
                                      .memory        = 5.97,
                                      .cache         = 0.81,
                                      .apart         = 2.25,
                                      .added         = 1.67e-07,
                                      .biased        = 5.76e-07,
                                      .slices        = 1.24,
                                      .slice_bytes   = 0.324,
                                      .slice         = 3.82e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
