// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{1.31, 1.28, 5590, 29.9, {1, 0.965, 0.932, 0.845}},
                                       TileRates{0.958, 1.19, 4650, 41.4, {1, 0.794, 1.06, 0.907}},
                                       TileRates{1.67, 0.955, 3370, 45.4, {1, 1.11, 1.02, 0.98}},
                                       TileRates{2.48, 0.806, 2840, 62.8, {1, 0.896, 1.01, 0.914}},
                                       TileRates{0.859, 1.05, 3230, 48.6, {1, 0.975, 0.868, 0.863}},
                                       TileRates{0.735, 0.634, 2400, 25.9, {1, 0.573, 0.913, 0.523}},
                                       TileRates{0.641, 0.637, 2710, 20.4, {1, 1.11, 0.608, 0.595}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0136, 0.0602, 0.0574, 0.07},
                                      .missed        = {0.812, 1, 1, 1},
                                      .waiting       = 3.01,
                                      .exposed       = 1.33,
                                      .uneven        = 0.569,
                                      .stored        = {1, 20.3, 1, 1, 16, 29},
                                      .walked        = {1.96, 10.1, 0.22, 0.22, 1.49, 14.1},
                                      .results       = {1, 0.889, 1, 1, 0.263, 0.105},
                                      .memory        = 1.68,
                                      .cache         = 0.738,
                                      .apart         = 0.337,
                                      .slices        = 3.72,
                                      .slice_bytes   = 0.133,
                                      .slice         = 3.02e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
