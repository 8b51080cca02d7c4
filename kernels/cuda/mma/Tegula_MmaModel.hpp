// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.35, 0.773, 7420, 43.7},  TileRates{0.854, 1.19, 6830, 41.6},
                                           TileRates{0.536, 0.759, 6780, 42.4}, TileRates{0.721, 0.936, 5080, 46.7},
                                           TileRates{0.703, 0.992, 5380, 41.7}, TileRates{0.486, 0.96, 4010, 55.3},
                                           TileRates{0.318, 1.37, 3850, 76.8}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00392, 0.00403, 0.0731, 0.0444},
                                          .missed        = {0.673, 1, 0.603, 0.556},
                                          .waiting       = 3,
                                          .exposed       = 6.27,
                                          .uneven        = 0.3,
                                          .stored        = {1, 5.84, 7.87, 36.1, 21.5, 1.63},
                                          .walked        = {2.69, 26.8, 16.5, 76.3, 11.5, 116},
                                          .results       = {1, 0.466, 1.04, 1.1, 9.66, 1.16},
                                          .memory        = 0.72,
                                          .cache         = 0.985,
                                          .slices        = 6.28,
                                          .slice_bytes   = 0.101,
                                          .slice         = 2.47e-08,
                                          .copy          = 1.96,
                                          .copy_bytes    = 0.615};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{2.78, 1.14, 13600, 21.7}, TileRates{0.735, 0.962, 6210, 13.7}, TileRates{0.693, 0.936, 5630, 15.7},
    TileRates{1.4, 1.23, 6010, 25.1},   TileRates{0.741, 1.1, 5660, 27.5},   TileRates{2.78, 1.21, 6050, 22.7},
    TileRates{0.41, 1.19, 4760, 30.2},  TileRates{0.132, 0.751, 7140, 13.3}, TileRates{0.312, 1.16, 3410, 16.4}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0185, 0.0202, 0.0358, 0.0342},
                                            .missed        = {1, 0.983, 1, 1},
                                            .waiting       = 2.19,
                                            .exposed       = 5.64,
                                            .uneven        = 0.3,
                                            .stored        = {1, 7.83, 1, 1, 13.1, 20.5},
                                            .walked        = {0.0107, 7.22, 0.22, 0.22, 0.0181, 13.1},
                                            .results       = {1, 0.498, 1, 1, 2.89, 1.78},
                                            .memory        = 0.945,
                                            .cache         = 5.77,
                                            .slices        = 4.35,
                                            .slice_bytes   = 0.31,
                                            .slice         = 3.4e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
