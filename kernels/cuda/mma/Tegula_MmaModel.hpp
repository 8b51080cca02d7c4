// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.32, 0.642, 10200, 32.1}, TileRates{0.861, 0.914, 9050, 30.1},
                                           TileRates{0.678, 0.627, 9130, 28.6}, TileRates{0.829, 0.647, 5870, 34.9},
                                           TileRates{0.594, 0.75, 6640, 28.5},  TileRates{0.443, 0.971, 4980, 42},
                                           TileRates{0.51, 1.21, 3950, 38.7}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00268, 0.00274, 0.0759, 0.0562},
                                          .missed        = {1, 0.906, 0.26, 0.427},
                                          .waiting       = 4.35,
                                          .exposed       = 7.34,
                                          .stored        = {1, 6.36, 4.63, 20.4, 27.7, 19.5},
                                          .walked        = {0.0694, 13, 8.03, 51, 5.11, 77.2},
                                          .results       = {1, 0.441, 1.13, 1.03, 1.23, 1.03},
                                          .memory        = 0.576,
                                          .cache         = 0.848,
                                          .slices        = 5.18,
                                          .slice_bytes   = 0.125,
                                          .slice         = 9.79e-09,
                                          .copy          = 3.83,
                                          .copy_bytes    = 0.83};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.22, 0.845, 10700, 10.4}, TileRates{0.495, 0.702, 6580, 9.24}, TileRates{0.418, 0.697, 4830, 8.59},
    TileRates{0.511, 0.756, 6080, 16.2}, TileRates{0.331, 0.684, 5430, 16.4}, TileRates{0.494, 0.669, 5420, 8.99},
    TileRates{0.283, 0.636, 4460, 14.4}, TileRates{0.0905, 0.44, 4180, 7.71}, TileRates{0.184, 0.553, 2810, 7.16}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00318, 0.0051, 0.0967, 0.119},
                                            .missed        = {1, 0.519, 1, 1},
                                            .waiting       = 2.79,
                                            .exposed       = 0.999,
                                            .stored        = {1, 6.41, 1, 1, 8.99, 15.9},
                                            .walked        = {0.695, 3, 0.22, 0.22, 0.698, 4.83},
                                            .results       = {1, 0.387, 1, 1, 2.34, 0.857},
                                            .memory        = 0.92,
                                            .cache         = 3.84,
                                            .slices        = 4.23,
                                            .slice_bytes   = 0.305,
                                            .slice         = 4.26e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
