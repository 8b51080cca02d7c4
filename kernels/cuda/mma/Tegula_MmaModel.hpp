// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_MODEL_HPP
#define TEGULA_MMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"

/// What the planner knows of the mma family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr auto mma_half_choices = choices_of(MmaConfigs());
inline constexpr std::array mma_half_rates{
    TileRates{0.561, 0.578, 8.31e+03, 32.4}, TileRates{0.33, 0.641, 6.71e+03, 25},
    TileRates{0.226, 0.724, 3.59e+03, 25.4}, TileRates{0.259, 0.477, 3.99e+03, 26.6},
    TileRates{0.195, 0.516, 3.55e+03, 21},   TileRates{0.145, 26.2, 3.42e+03, 20.3},
    TileRates{0.121, 35.1, 1.49e+03, 41.2}};
static_assert(mma_half_rates.size() == mma_half_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_half_model{.choices       = mma_half_choices,
                                          .rates         = mma_half_rates,
                                          .multiply_adds = &CudaRates::mma_half,
                                          .element_bytes = 2,
                                          .sum_bytes     = sizeof(float),
                                          .shortest      = 64,
                                          .fetched       = {0.000299, 0.000299, 0.23, 0.312},
                                          .stored        = {1, 13.4, 0.531, 143, 23.8, 197},
                                          .walked        = {2.43, 11.5, 14.1, 59.7, 5.9, 24.2},
                                          .results       = {1, 0.511, 2.2, 1, 8.28, 0.992},
                                          .memory        = 0.52,
                                          .cache         = 0.579,
                                          .slices        = 3.12,
                                          .slice_bytes   = 0.116,
                                          .slice         = 4.07e-10,
                                          .copy          = 1.95,
                                          .copy_bytes    = 1.13};

inline constexpr auto mma_double_choices = choices_of(MmaDoubleConfigs());
inline constexpr std::array mma_double_rates{
    TileRates{0.816, 0.879, 5.14e+03, 8.42}, TileRates{0.522, 0.768, 5.39e+03, 7.5},
    TileRates{0.346, 0.664, 1.94e+03, 11.2}, TileRates{0.432, 0.791, 3.89e+03, 7.55},
    TileRates{0.331, 0.632, 3.7e+03, 20.3},  TileRates{0.66, 0.62, 5.63e+03, 5.41},
    TileRates{0.218, 0.665, 2.86e+03, 16.2}, TileRates{0.0837, 0.451, 3.68e+03, 7.96},
    TileRates{0.172, 0.588, 1.52e+03, 11.2}};
static_assert(mma_double_rates.size() == mma_double_choices.size(), "every configuration has rates");
inline constexpr TileModel mma_double_model{.choices       = mma_double_choices,
                                            .rates         = mma_double_rates,
                                            .multiply_adds = &CudaRates::mma_double,
                                            .element_bytes = sizeof(double),
                                            .sum_bytes     = sizeof(double),
                                            .shortest      = 64,
                                            .fetched       = {0.0169, 0.00528, 0.172, 0.152},
                                            .stored        = {1, 6.84, 1, 1, 6.54, 17.1},
                                            .walked        = {2.81, 3.81, 0.223, 0.223, 1.19, 2.38},
                                            .results       = {1, 0.225, 1, 1, 3.82, 1.17},
                                            .memory        = 1.15,
                                            .cache         = 2.47,
                                            .slices        = 1.22,
                                            .slice_bytes   = 0.269,
                                            .slice         = 6.65e-09,
                                            .copy          = 1,
                                            .copy_bytes    = 0.741};

}  // namespace Tegula::Impl

#endif
