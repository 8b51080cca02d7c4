// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{TileRates{2.61, 0.726, 9670, 31.3},  TileRates{1.06, 0.978, 8550, 29},
                                           TileRates{0.697, 0.669, 8440, 28.1}, TileRates{0.848, 0.705, 5900, 34.6},
                                           TileRates{0.694, 0.851, 6240, 26.5}, TileRates{0.388, 1.1, 6040, 51.9},
                                           TileRates{0.398, 1.42, 3920, 39.9}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.00261, 0.00256, 0.0725, 0.0465},
                                          .missed        = {1, 1, 0.313, 0.561},
                                          .waiting       = 5.78,
                                          .exposed       = 5.73,
                                          .stored        = {1, 6.16, 4.74, 20.9, 27.7, 16.5},
                                          .walked        = {0.0697, 14, 8.61, 51.2, 5.74, 78.5},
                                          .results       = {1, 0.435, 1.17, 1.03, 1.27, 1.03},
                                          .memory        = 0.557,
                                          .cache         = 0.924,
                                          .slices        = 4.67,
                                          .slice_bytes   = 0.115,
                                          .slice         = 6.8e-09,
                                          .copy          = 4.14,
                                          .copy_bytes    = 0.79};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{1.36, 0.912, 12200, 10.2}, TileRates{0.54, 0.74, 7210, 8.62},   TileRates{0.426, 0.734, 4990, 7.91},
    TileRates{0.61, 0.805, 5950, 12.1},  TileRates{0.306, 0.709, 5530, 14.3}, TileRates{0.492, 0.701, 5680, 10.4},
    TileRates{0.254, 0.674, 4320, 12.6}, TileRates{0.076, 0.461, 3880, 6.76}, TileRates{0.189, 0.568, 3370, 15.9}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.00288, 0.00571, 0.112, 0.107},
                                            .missed        = {1, 0.502, 1, 1},
                                            .waiting       = 3,
                                            .exposed       = 0.8,
                                            .stored        = {1, 7.28, 1, 1, 7.32, 12.1},
                                            .walked        = {0.592, 2.89, 0.22, 0.22, 0.357, 6.57},
                                            .results       = {1, 0.387, 1, 1, 2.61, 0.807},
                                            .memory        = 0.938,
                                            .cache         = 3.89,
                                            .slices        = 3.93,
                                            .slice_bytes   = 0.286,
                                            .slice         = 3.53e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
