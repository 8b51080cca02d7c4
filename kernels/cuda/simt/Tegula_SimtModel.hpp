// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{1.03, 0.872, 2230, 25.7, {1, 1.01, 1.04, 1.01}},
                                       TileRates{0.651, 0.893, 5420, 49.1, {1, 1.19, 1.29, 1.3}},
                                       TileRates{1.3, 0.905, 3940, 28, {1, 1.15, 1.07, 1.34}},
                                       TileRates{0.8, 1.06, 5640, 30.3, {1, 0.969, 0.969, 1.12}},
                                       TileRates{0.943, 0.789, 3760, 31.9, {1, 1.53, 1.22, 1.63}},
                                       TileRates{0.494, 0.872, 2390, 15.2, {1, 1.09, 1.13, 1.57}},
                                       TileRates{0.508, 0.878, 2960, 46.5, {1, 1.06, 1.08, 1.11}},
                                       TileRates{0.828, 0.565, 2820, 7.83, {1, 0.974, 0.916, 0.841}},
                                       TileRates{0.701, 0.614, 3660, 11.5, {1, 0.862, 0.95, 0.936}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00726, 0.0432, 0.0482, 0.0234},
                                      .missed        = {0.306, 0.455, 0.415, 0.621},
                                      .waiting       = 1.54,
                                      .exposed       = 2.73,
                                      .uneven        = 0.185,
                                      .stored        = {1, 2.48, 0.0765, 1.96},
                                      .walked        = {7.59, 16.4, 11.1, 20.8},
                                      .results       = {1, 3.37, 0.833, 3.08},
                                      .memory        = 1.34,
                                      .cache         = 0.811,
                                      .apart         = 0.331,
                                      .added         = 2.94e-07,
                                      .biased        = 3.75e-07,
                                      .slices        = 1.84,
                                      .slice_bytes   = 0.509,
                                      .slice         = 1.09e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
