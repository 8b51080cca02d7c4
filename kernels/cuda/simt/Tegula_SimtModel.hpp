// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{1.38, 1.17, 5020, 30.6, {1, 0.923, 0.907, 0.803}},
                                       TileRates{0.958, 1.2, 4480, 41.9, {1, 0.789, 1.05, 0.894}},
                                       TileRates{1.7, 0.955, 3310, 46.3, {1, 1.1, 1.03, 0.98}},
                                       TileRates{2.7, 0.811, 2790, 61.9, {1, 0.894, 1, 0.899}},
                                       TileRates{0.861, 1.07, 3100, 48.5, {1, 0.965, 0.858, 0.849}},
                                       TileRates{0.747, 0.62, 2300, 27.6, {1, 0.57, 0.921, 0.52}},
                                       TileRates{0.665, 0.645, 2630, 17.2, {1, 1.13, 0.606, 0.591}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0129, 0.0587, 0.0555, 0.0698},
                                      .missed        = {0.883, 1, 1, 1},
                                      .waiting       = 3.12,
                                      .exposed       = 1.33,
                                      .uneven        = 0.587,
                                      .stored        = {1, 20.6, 1, 1, 17.2, 28.6},
                                      .walked        = {1.91, 9.81, 0.22, 0.22, 1.42, 14.1},
                                      .results       = {1, 0.908, 1, 1, 0.277, 0.105},
                                      .memory        = 1.68,
                                      .cache         = 0.735,
                                      .apart         = 0.381,
                                      .slices        = 3.65,
                                      .slice_bytes   = 0.131,
                                      .slice         = 3.05e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
