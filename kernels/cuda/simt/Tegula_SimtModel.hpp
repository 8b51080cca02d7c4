// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.748, 0.788, 11300, 41.3, {1, 0.905, 0.921, 0.782}},
                                       TileRates{0.526, 0.842, 9990, 67.9, {1, 0.699, 0.919, 0.79}},
                                       TileRates{0.783, 0.771, 6820, 83, {1, 0.966, 0.885, 0.794}},
                                       TileRates{0.613, 0.7, 4100, 96.3, {1, 0.721, 0.851, 0.703}},
                                       TileRates{0.366, 0.707, 6230, 86.1, {1, 0.969, 0.737, 0.754}},
                                       TileRates{0.348, 0.483, 3820, 41.9, {1, 0.374, 0.728, 0.315}},
                                       TileRates{0.227, 0.386, 4560, 41.7, {1, 1.19, 0.541, 0.524}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00111, 0.0069, 0.0607, 0.276},
                                      .missed        = {0.791, 1, 1, 1},
                                      .waiting       = 1.48,
                                      .exposed       = 0.282,
                                      .uneven        = 0.3,
                                      .stored        = {1, 33.6, 1, 1, 27.7, 20.3},
                                      .walked        = {0.515, 24.2, 0.22, 0.22, 0.035, 42.7},
                                      .results       = {1, 0.53, 1, 1, 0.352, 0.599},
                                      .memory        = 0.862,
                                      .cache         = 0.881,
                                      .slices        = 5.27,
                                      .slice_bytes   = 0.163,
                                      .slice         = 3.13e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
