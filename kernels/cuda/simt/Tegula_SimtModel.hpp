// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.672, 0.712, 1.27e+04, 19.6}, TileRates{0.488, 0.905, 6.65e+03, 19.3},
                                       TileRates{0.972, 0.973, 7.27e+03, 25},   TileRates{0.647, 0.657, 2.31e+03, 59.3},
                                       TileRates{0.287, 0.905, 2.24e+03, 22.9}, TileRates{0.222, 0.327, 1.27e+03, 18},
                                       TileRates{0.241, 0.378, 2.08e+03, 32.3}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00214, 0.477, 0.371, 0.324},
                                      .stored        = {1, 13, 1, 1, 9.36, 15.5},
                                      .walked        = {0.0499, 8.37, 0.223, 0.223, 0.0656, 28.9},
                                      .results       = {1, 0.59, 1, 1, 6.6, 0.794},
                                      .memory        = 0.763,
                                      .cache         = 0.813,
                                      .slices        = 1.08,
                                      .slice_bytes   = 0.141,
                                      .slice         = 2.58e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.741};

}  // namespace Tegula::Impl

#endif
