// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{3.86, 1.07, 7290, 154},  TileRates{0.973, 1.62, 6560, 155},
                                           TileRates{0.707, 1.05, 7020, 133}, TileRates{0.949, 1.43, 4660, 156},
                                           TileRates{0.577, 1.25, 4840, 132}, TileRates{0.693, 1.88, 4310, 378},
                                           TileRates{0.759, 2.2, 3720, 311}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00255, 0.00306, 0.0346, 0.0286},
                                          .missed        = {0.756, 1, 0.296, 0.515},
                                          .waiting       = 2.17,
                                          .exposed       = 9.89,
                                          .uneven        = 0.211,
                                          .stored        = {1, 64.2, 12.5, 186},
                                          .walked        = {0.938, 43.6, 33.8, 176},
                                          .results       = {1, 0.0518, 0.905, 0.185},
                                          .memory        = 5.04,
                                          .cache         = 1.02,
                                          .apart         = 2.55,
                                          .added         = 1.21e-06,
                                          .biased        = 1.94e-07,
                                          .slices        = 4.82,
                                          .slice_bytes   = 0.263,
                                          .slice         = 1.16e-08,
                                          .copy          = 3.14,
                                          .copy_bytes    = 0.817};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.56, 1.09, 8480, 45.1},  TileRates{0.866, 1.05, 6330, 45.6},  TileRates{0.607, 0.908, 5480, 51.5},
    TileRates{0.758, 1.07, 4860, 55.5}, TileRates{0.476, 1.01, 4790, 27.5},  TileRates{1.02, 0.925, 4750, 35.8},
    TileRates{0.509, 0.921, 4050, 63},  TileRates{0.144, 0.597, 5910, 18.5}, TileRates{0.273, 0.746, 3120, 96}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00106, 0.0093, 0.0771, 0.127},
                                            .missed        = {1, 1, 1, 1},
                                            .waiting       = 2.79,
                                            .exposed       = 1.02,
                                            .uneven        = 0.17,
                                            .stored        = {1, 34.7, 3.03, 37.4},
                                            .walked        = {1.11, 4.77, 1.52, 5.84},
                                            .results       = {1, 0.683, 1.03, 0.679},
                                            .memory        = 1.59,
                                            .cache         = 1.05,
                                            .apart         = 0.545,
                                            .added         = 4.86e-07,
                                            .biased        = 5.14e-07,
                                            .slices        = 3.7,
                                            .slice_bytes   = 0.558,
                                            .slice         = 3.38e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
