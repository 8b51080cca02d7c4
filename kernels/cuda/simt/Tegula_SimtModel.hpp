// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.973, 0.983, 6680, 23.8, {1, 0.977, 0.949, 0.819}},
                                       TileRates{0.767, 1.11, 5260, 28.5, {1, 0.76, 0.928, 0.827}},
                                       TileRates{1.05, 0.863, 4270, 37.8, {1, 1.01, 1.04, 0.928}},
                                       TileRates{0.904, 0.756, 3020, 48, {1, 0.796, 0.918, 0.748}},
                                       TileRates{0.564, 0.956, 3540, 37.2, {1, 0.983, 0.727, 0.749}},
                                       TileRates{0.736, 0.49, 3280, 21.7, {1, 0.512, 1.03, 0.476}},
                                       TileRates{0.539, 0.589, 3310, 21.5, {1, 0.889, 0.424, 0.431}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00103, 0.00185, 0.0186, 0.0833},
                                      .missed        = {1, 1, 1, 1},
                                      .waiting       = 1.49,
                                      .exposed       = 0.823,
                                      .uneven        = 0.402,
                                      .stored        = {1, 17, 14.1, 29.6},
                                      .walked        = {0.832, 5.13, 0.681, 6.05},
                                      .results       = {1, 1.45, 0.197, 0.239},
                                      .memory        = 3.3,
                                      .cache         = 0.74,
                                      .apart         = 0.879,
                                      .added         = 7.69e-07,
                                      .biased        = 4.6e-07,
                                      .slices        = 3.25,
                                      .slice_bytes   = 0.123,
                                      .slice         = 1.21e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
