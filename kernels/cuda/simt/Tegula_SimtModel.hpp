// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.846, 0.846, 15200, 12.6}, TileRates{0.442, 0.919, 5610, 18.1},
                                       TileRates{0.941, 0.941, 6780, 31.3},  TileRates{0.703, 0.712, 2290, 67.2},
                                       TileRates{0.292, 0.855, 2140, 19.4},  TileRates{0.277, 0.393, 1510, 21.4},
                                       TileRates{0.261, 0.394, 1850, 20.5}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00265, 0.373, 0.327, 0.271},
                                      .stored        = {1, 9.94, 1, 1, 9.88, 22.3},
                                      .walked        = {0.52, 11, 0.22, 0.22, 0.0312, 12.2},
                                      .results       = {1, 0.528, 1, 1, 5.26, 0.748},
                                      .memory        = 0.695,
                                      .cache         = 0.543,
                                      .slices        = 1.14,
                                      .slice_bytes   = 0.132,
                                      .slice         = 1.72e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
