// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.987, 1.02, 8160, 62.6, {1, 0.9, 0.894, 0.796}},
                                       TileRates{0.675, 0.945, 6390, 94.2, {1, 0.838, 1.01, 0.925}},
                                       TileRates{1.08, 0.837, 5620, 117, {1, 1, 0.987, 0.935}},
                                       TileRates{0.9, 0.85, 4500, 90, {1, 0.9, 1, 0.9}},
                                       TileRates{1.12, 0.706, 3510, 88.8, {1, 0.87, 1.01, 0.825}},
                                       TileRates{0.5, 0.6, 3000, 90, {1, 0.9, 1, 0.9}},
                                       TileRates{0.491, 0.837, 3790, 99.3, {1, 1.02, 0.789, 0.795}},
                                       TileRates{0.442, 0.482, 3860, 61, {1, 0.569, 1.09, 0.538}},
                                       TileRates{0.518, 0.516, 4100, 55.9, {1, 1.06, 0.521, 0.542}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00074, 0.0164, 0.0363, 0.0664},
                                      .missed        = {1, 1, 1, 1},
                                      .waiting       = 2.12,
                                      .exposed       = 1.17,
                                      .uneven        = 0.243,
                                      .stored        = {1, 66.8, 1.29, 44},
                                      .walked        = {1.77, 20, 21, 40.5},
                                      .results       = {1, 0.124, 0.242, 0.0979},
                                      .memory        = 4.52,
                                      .cache         = 0.82,
                                      .apart         = 1.78,
                                      .added         = 5.37e-07,
                                      .biased        = 6.22e-07,
                                      .slices        = 3.78,
                                      .slice_bytes   = 0.279,
                                      .slice         = 1.61e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
