// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.804, 0.81, 9080, 15.2, {1, 0.874, 0.868, 0.715}},
                                       TileRates{0.485, 0.801, 7650, 22.3, {1, 0.747, 0.949, 0.761}},
                                       TileRates{0.924, 0.691, 7560, 43.1, {1, 1.06, 0.933, 0.942}},
                                       TileRates{0.539, 0.7, 4620, 71.1, {1, 0.706, 0.879, 0.716}},
                                       TileRates{0.298, 0.682, 4230, 23.5, {1, 0.989, 0.737, 0.749}},
                                       TileRates{0.324, 0.418, 3670, 19.1, {1, 0.331, 0.771, 0.311}},
                                       TileRates{0.283, 0.376, 4220, 13.1, {1, 1.2, 0.43, 0.399}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.000498, 0.0145, 0.0282, 0.279},
                                      .missed        = {0.461, 1, 1, 1},
                                      .waiting       = 1.67,
                                      .exposed       = 0.21,
                                      .stored        = {1, 13, 1, 1, 13.5, 22.5},
                                      .walked        = {1.32, 11, 0.22, 0.22, 0.105, 20.8},
                                      .results       = {1, 0.541, 1, 1, 5.56, 0.654},
                                      .memory        = 0.815,
                                      .cache         = 0.987,
                                      .slices        = 2.82,
                                      .slice_bytes   = 0.125,
                                      .slice         = 2.56e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
