// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.56, 0.712, 1.65e+04, 16.5},  TileRates{0.347, 0.722, 6.63e+03, 15.6},
                                       TileRates{0.816, 0.816, 1.15e+04, 22.7}, TileRates{0.529, 0.597, 2.29e+03, 98.1},
                                       TileRates{0.215, 0.715, 1.52e+03, 21},   TileRates{0.177, 0.247, 922, 26.7},
                                       TileRates{0.21, 0.303, 2.29e+03, 49.1}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00275, 0.624, 0.473, 0.463},
                                      .stored        = {1, 7.32, 1, 1, 5.97, 19.9},
                                      .walked        = {0.0529, 15, 0.223, 0.223, 0.0585, 39.9},
                                      .results       = {1, 0.624, 1, 1, 14.7, 0.796},
                                      .memory        = 0.746,
                                      .cache         = 0.83,
                                      .slices        = 1.01,
                                      .slice_bytes   = 0.108,
                                      .slice         = 1.67e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.741};

}  // namespace Tegula::Impl

#endif
