// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.729, 0.871, 11300, 41.5, {1, 0.944, 0.944, 0.823}},
                                       TileRates{0.518, 0.844, 9510, 59.3, {1, 0.711, 0.932, 0.829}},
                                       TileRates{0.891, 0.907, 7310, 66.6, {1, 0.908, 0.778, 0.717}},
                                       TileRates{0.622, 0.7, 3860, 73.5, {1, 0.721, 0.84, 0.671}},
                                       TileRates{0.352, 0.737, 6220, 98.4, {1, 0.995, 0.707, 0.739}},
                                       TileRates{0.276, 0.456, 3800, 35.8, {1, 0.428, 0.812, 0.355}},
                                       TileRates{0.213, 0.395, 4090, 39, {1, 1.09, 0.539, 0.512}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00111, 0.00703, 0.0643, 0.267},
                                      .missed        = {0.788, 1, 1, 1},
                                      .waiting       = 1.51,
                                      .exposed       = 0.291,
                                      .stored        = {1, 33.5, 1, 1, 15.9, 21.1},
                                      .walked        = {0.686, 26.8, 0.22, 0.22, 0.0346, 43},
                                      .results       = {1, 0.536, 1, 1, 0.284, 0.599},
                                      .memory        = 0.715,
                                      .cache         = 0.963,
                                      .slices        = 5.31,
                                      .slice_bytes   = 0.169,
                                      .slice         = 3.29e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
