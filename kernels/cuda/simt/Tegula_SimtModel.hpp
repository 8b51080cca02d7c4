// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{1.01, 1.07, 8240, 68.4, {1, 0.816, 0.886, 0.758}},
                                       TileRates{0.617, 0.915, 5700, 80.7, {1, 1.01, 1.04, 0.871}},
                                       TileRates{0.838, 1.03, 5320, 101, {1, 0.937, 0.965, 0.973}},
                                       TileRates{0.942, 0.705, 3520, 110, {1, 0.854, 0.985, 0.769}},
                                       TileRates{0.492, 0.826, 3550, 86.5, {1, 0.962, 0.782, 0.768}},
                                       TileRates{0.434, 0.517, 3770, 68.5, {1, 0.496, 1.14, 0.471}},
                                       TileRates{0.506, 0.54, 4020, 76.9, {1, 1.09, 0.456, 0.465}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00138, 0.00297, 0.0502, 0.164},
                                      .missed        = {1, 1, 1, 1},
                                      .waiting       = 1.41,
                                      .exposed       = 0.34,
                                      .uneven        = 0.295,
                                      .stored        = {1, 47.1, 0.455, 44.8},
                                      .walked        = {2.16, 19.1, 18.6, 36.4},
                                      .results       = {1, 0.152, 0.36, 0.0919},
                                      .memory        = 4.6,
                                      .cache         = 0.767,
                                      .apart         = 1.69,
                                      .added         = 8.16e-07,
                                      .biased        = 5.92e-07,
                                      .slices        = 3.61,
                                      .slice_bytes   = 0.341,
                                      .slice         = 1.69e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
