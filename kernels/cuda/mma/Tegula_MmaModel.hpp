// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{0.554, 0.7, 9400, 57.4},   TileRates{0.371, 0.738, 7980, 55},
                                           TileRates{0.32, 0.526, 7180, 48.3},  TileRates{0.309, 0.494, 4480, 57.9},
                                           TileRates{0.257, 0.457, 4880, 45.6}, TileRates{0.212, 0.566, 4010, 60.5},
                                           TileRates{0.204, 0.344, 2450, 77.2}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00817, 0.0114, 0.323, 0.347},
                                          .stored        = {1, 10.5, 5.14, 158, 36.4, 139},
                                          .walked        = {0.159, 26.3, 19.5, 74.1, 9.12, 140},
                                          .results       = {1, 0.57, 2.37, 1.3, 7.11, 1.04},
                                          .memory        = 0.563,
                                          .cache         = 3.12,
                                          .slices        = 3.03,
                                          .slice_bytes   = 0.139,
                                          .slice         = 6.6e-10,
                                          .copy          = 2.42,
                                          .copy_bytes    = 0.829};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{0.835, 0.871, 6110, 5.23}, TileRates{0.459, 0.707, 3620, 6.23},  TileRates{0.348, 0.696, 1860, 7.75},
    TileRates{0.464, 0.748, 4390, 12.1}, TileRates{0.369, 0.675, 4540, 16.7},  TileRates{0.53, 0.669, 4840, 5.34},
    TileRates{0.247, 0.619, 2850, 11.6}, TileRates{0.0942, 0.421, 3470, 5.62}, TileRates{0.177, 0.56, 1150, 4.97}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0166, 0.00524, 0.131, 0.103},
                                            .stored        = {1, 5.18, 1, 1, 5.42, 6.89},
                                            .walked        = {1.84, 2.31, 0.22, 0.22, 0.511, 2.56},
                                            .results       = {1, 0.607, 1, 1, 2.3, 3.05},
                                            .memory        = 1.21,
                                            .cache         = 3.6,
                                            .slices        = 1.83,
                                            .slice_bytes   = 0.337,
                                            .slice         = 3.56e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
