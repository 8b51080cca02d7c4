// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.913, 0.717, 9090, 16.6}, TileRates{0.593, 0.855, 7730, 20.3},
                                       TileRates{2.74, 0.764, 7150, 40.1},  TileRates{1.9, 0.595, 4010, 146},
                                       TileRates{0.475, 0.743, 4080, 21.2}, TileRates{0.43, 0.361, 2880, 58.8},
                                       TileRates{0.438, 0.393, 3200, 13.2}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.00837, 0.0538, 0.0517, 0.0419},
                                      .missed        = {1, 1, 1, 1},
                                      .waiting       = 2.43,
                                      .exposed       = 4.05,
                                      .stored        = {1, 10.1, 1, 1, 11.1, 23.5},
                                      .walked        = {1.02, 11.2, 0.22, 0.22, 0.0942, 12.5},
                                      .results       = {1, 0.752, 1, 1, 5.35, 0.659},
                                      .memory        = 0.739,
                                      .cache         = 3.3,
                                      .slices        = 3.5,
                                      .slice_bytes   = 0.142,
                                      .slice         = 3.19e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
