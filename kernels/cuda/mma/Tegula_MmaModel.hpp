// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{3.48, 0.856, 6930, 62.7},  TileRates{1.14, 1.13, 6340, 60.4},
                                           TileRates{0.806, 0.808, 6540, 58.9}, TileRates{1.13, 0.971, 4420, 63.4},
                                           TileRates{0.716, 1.05, 4300, 52.1},  TileRates{0.746, 1.27, 3880, 77.5},
                                           TileRates{0.551, 1.87, 3760, 94.5}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00165, 0.00256, 0.0532, 0.0479},
                                          .missed        = {0.908, 0.818, 0.209, 0.366},
                                          .waiting       = 4.85,
                                          .exposed       = 6.07,
                                          .uneven        = 0.249,
                                          .stored        = {1, 15.2, 2.75, 66.7, 25.1, 6.78},
                                          .walked        = {0.0678, 27.4, 17.5, 61.9, 11.9, 138},
                                          .results       = {1, 0.0664, 2.16, 0.232, 6.76, 0.206},
                                          .memory        = 3.03,
                                          .cache         = 0.921,
                                          .apart         = 1.85,
                                          .slices        = 5.11,
                                          .slice_bytes   = 0.109,
                                          .slice         = 9.48e-09,
                                          .copy          = 2.76,
                                          .copy_bytes    = 0.828};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.34, 1.09, 6460, 10.7},   TileRates{0.656, 0.969, 4530, 9.65}, TileRates{0.546, 0.921, 3600, 9.82},
    TileRates{0.684, 1.03, 3950, 11.5},  TileRates{0.511, 0.964, 3410, 9.34}, TileRates{0.804, 0.901, 4270, 14},
    TileRates{0.387, 0.924, 3390, 16.1}, TileRates{0.132, 0.636, 4040, 8.46}, TileRates{0.273, 0.863, 2800, 18.2}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00107, 0.00457, 0.0855, 0.0812},
                                            .missed        = {1, 0.995, 1, 1},
                                            .waiting       = 1.35,
                                            .exposed       = 1.26,
                                            .uneven        = 0.344,
                                            .stored        = {1, 4.32, 1, 1, 8, 12.9},
                                            .walked        = {0.0595, 2.69, 0.22, 0.22, 0.0186, 3.49},
                                            .results       = {1, 1.25, 1, 1, 1.32, 0.166},
                                            .memory        = 1.03,
                                            .cache         = 1.03,
                                            .apart         = 0.262,
                                            .slices        = 3.81,
                                            .slice_bytes   = 0.28,
                                            .slice         = 3.05e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
