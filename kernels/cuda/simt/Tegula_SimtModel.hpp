// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{1.31, 1.28, 5570, 29.9, {1, 0.97, 0.934, 0.847}},
                                       TileRates{0.955, 1.19, 4650, 41.7, {1, 0.796, 1.06, 0.907}},
                                       TileRates{1.68, 0.954, 3380, 45.8, {1, 1.11, 1.02, 0.982}},
                                       TileRates{2.47, 0.806, 2830, 59.5, {1, 0.902, 1.01, 0.909}},
                                       TileRates{0.856, 1.05, 3220, 49.2, {1, 0.977, 0.872, 0.868}},
                                       TileRates{0.731, 0.633, 2370, 26.6, {1, 0.575, 0.908, 0.525}},
                                       TileRates{0.636, 0.637, 2660, 17.3, {1, 1.12, 0.621, 0.607}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0133, 0.0609, 0.0578, 0.0702},
                                      .missed        = {0.827, 1, 1, 1},
                                      .waiting       = 3,
                                      .exposed       = 1.34,
                                      .uneven        = 0.566,
                                      .stored        = {1, 21.1, 1, 1, 16, 28.9},
                                      .walked        = {1.97, 9.86, 0.22, 0.22, 1.51, 13.9},
                                      .results       = {1, 0.89, 1, 1, 0.26, 0.106},
                                      .memory        = 1.68,
                                      .cache         = 0.74,
                                      .apart         = 0.36,
                                      .slices        = 3.69,
                                      .slice_bytes   = 0.133,
                                      .slice         = 3.01e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
