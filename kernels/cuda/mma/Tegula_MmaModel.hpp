// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{
    TileRates{0.49, 0.51, 7.84e+03, 30.7},   TileRates{0.304, 0.545, 6.39e+03, 25.2},
    TileRates{0.195, 0.658, 3.14e+03, 25.3}, TileRates{0.224, 0.448, 5.1e+03, 27.1},
    TileRates{0.188, 0.421, 4.87e+03, 22.7}, TileRates{0.125, 25.6, 4.51e+03, 17},
    TileRates{0.0924, 33.5, 1.68e+03, 39.8}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.000327, 0.000327, 0.171, 0.208},
                                          .stored        = {1, 23.5, 0.529, 144, 19.7, 279},
                                          .walked        = {3.01, 10.1, 14.4, 72, 5.28, 20.1},
                                          .results       = {1, 0.513, 1.65, 1, 8.75, 0.993},
                                          .memory        = 0.395,
                                          .cache         = 0.575,
                                          .slices        = 3.48,
                                          .slice_bytes   = 0.112,
                                          .slice         = 3.92e-10,
                                          .copy          = 1.73,
                                          .copy_bytes    = 1.4};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{0.767, 0.762, 5.63e+03, 5.4}, TileRates{0.488, 0.699, 3.96e+03, 8.11},
    TileRates{0.255, 0.512, 2.1e+03, 14.7}, TileRates{0.352, 0.729, 3.58e+03, 6.51},
    TileRates{0.3, 0.522, 5.27e+03, 48.5},  TileRates{0.612, 0.577, 6.79e+03, 4.98},
    TileRates{0.188, 0.601, 3.4e+03, 24.2}, TileRates{0.0772, 0.382, 3.87e+03, 7.29},
    TileRates{0.149, 0.529, 786, 7.51}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.012, 0.00489, 0.149, 0.0891},
                                            .stored        = {1, 9.07, 1, 1, 6.82, 13.6},
                                            .walked        = {4.6, 3.23, 0.223, 0.223, 0.962, 1.78},
                                            .results       = {1, 0.231, 1, 1, 3.68, 1.2},
                                            .memory        = 1.54,
                                            .cache         = 2.97,
                                            .slices        = 1.54,
                                            .slice_bytes   = 0.289,
                                            .slice         = 3e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.741};

}  // namespace Tegula::Impl

#endif
