// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.98, 0.983, 7800, 62.7, {1, 0.893, 0.895, 0.784}},
                                       TileRates{0.635, 0.943, 5880, 91, {1, 0.84, 1.01, 0.901}},
                                       TileRates{1.11, 0.833, 5590, 114, {1, 0.998, 0.987, 0.92}},
                                       TileRates{1.17, 0.708, 3640, 124, {1, 0.859, 0.99, 0.796}},
                                       TileRates{0.513, 0.837, 3850, 98.3, {1, 1.02, 0.776, 0.774}},
                                       TileRates{0.436, 0.486, 3850, 79.7, {1, 0.535, 1.1, 0.508}},
                                       TileRates{0.509, 0.522, 4130, 85.3, {1, 1.04, 0.49, 0.506}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.000611, 0.0109, 0.0324, 0.0774},
                                      .missed        = {1, 1, 1, 1},
                                      .waiting       = 2.18,
                                      .exposed       = 1.01,
                                      .uneven        = 0.243,
                                      .stored        = {1, 56.1, 0.478, 51.2},
                                      .walked        = {2.27, 20.7, 20.1, 38.2},
                                      .results       = {1, 0.129, 0.399, 0.0967},
                                      .memory        = 4.48,
                                      .cache         = 0.805,
                                      .apart         = 1.76,
                                      .added         = 8.56e-07,
                                      .biased        = 6.14e-07,
                                      .slices        = 3.57,
                                      .slice_bytes   = 0.282,
                                      .slice         = 1.62e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
