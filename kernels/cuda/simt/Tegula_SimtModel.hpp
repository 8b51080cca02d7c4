// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_MODEL_HPP
#define TEGULA_SIMT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_SimtConfig.hpp"

/// What the planner knows of the simt family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto simt_choices = choices_of(SimtConfigs());
inline constexpr std::array simt_rates{TileRates{0.765, 0.616, 8210, 16.2}, TileRates{0.372, 0.98, 6190, 18.7},
                                       TileRates{0.927, 0.927, 6470, 24.2}, TileRates{0.712, 0.718, 2250, 66.4},
                                       TileRates{0.308, 0.822, 2220, 19.4}, TileRates{0.281, 0.409, 1510, 22},
                                       TileRates{0.264, 0.379, 1820, 20.5}};
static_assert(simt_rates.size() == simt_choices.size(), "every configuration has rates");
inline constexpr TileModel simt_model{.choices       = simt_choices,
                                      .rates         = simt_rates,
                                      .multiply_adds = &CudaRates::fma_float,
                                      .element_bytes = sizeof(float),
                                      .sum_bytes     = sizeof(float),
                                      .shortest      = 64,
                                      .fetched       = {0.0026, 0.364, 0.322, 0.268},
                                      .stored        = {1, 10.3, 1, 1, 9.48, 21.1},
                                      .walked        = {0.503, 9.98, 0.22, 0.22, 0.0317, 12.2},
                                      .results       = {1, 0.524, 1, 1, 5.41, 0.747},
                                      .memory        = 0.649,
                                      .cache         = 0.772,
                                      .slices        = 1.19,
                                      .slice_bytes   = 0.146,
                                      .slice         = 1.89e-09,
                                      .copy          = 1,
                                      .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
