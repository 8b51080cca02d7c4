// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.767, 1.04, 6860, 54.8, {1, 1.07, 1.14, 1.2}},
                                       TileRates{0.734, 1.05, 5990, 42, {1, 1.08, 1.07, 1.21}},
                                       TileRates{0.966, 1.07, 6640, 38.3, {1, 1.09, 1.11, 1.19}},
                                       TileRates{1.19, 0.897, 3790, 22.2, {1, 1.29, 1.1, 1.57}},
                                       TileRates{0.547, 0.795, 2440, 18.1, {1, 1.24, 1.26, 1.7}},
                                       TileRates{0.557, 0.859, 3460, 76.5, {1, 1.11, 1.08, 1.16}},
                                       TileRates{0.25, 0.77, 3590, 53.9, {1, 1.14, 1.22, 1.22}},
                                       TileRates{0.283, 0.845, 4500, 52.8, {1, 1.1, 1.13, 1.2}},
                                       TileRates{0.596, 0.916, 4260, 57.3, {1, 1.08, 1.12, 1.18}},
                                       TileRates{0.805, 0.573, 2600, 6.23, {1, 0.973, 1.01, 0.974}},
                                       TileRates{0.691, 0.619, 3440, 9.86, {1, 0.884, 0.915, 0.942}}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00801, 0.0456, 0.0509, 0.0247},
                                      .missed        = {0.301, 0.466, 0.434, 0.626},
                                      .waiting       = 1.42,
                                      .exposed       = 2.66,
                                      .uneven        = 0.188,
                                      .stored        = {1, 2.98, 0.077, 2.11},
                                      .walked        = {7.25, 16.2, 11, 21.1},
                                      .results       = {1, 3.37, 0.714, 2.91},
                                      .memory        = 1.38,
                                      .cache         = 0.813,
                                      .apart         = 0.352,
                                      .added         = 2.84e-07,
                                      .biased        = 3.78e-07,
                                      .activated     = 0.276,
                                      .kept          = 0.0828,
                                      .slices        = 1.83,
                                      .slice_bytes   = 0.493,
                                      .slice         = 1.11e-08,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
