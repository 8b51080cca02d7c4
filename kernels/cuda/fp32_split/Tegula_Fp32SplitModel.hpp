// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_MODEL_HPP
#define TEGULA_FP32_SPLIT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Fp32SplitConfig.hpp"

/// What the planner knows of the fp32_split family, fitted to times measured on
/// an H200 (perf_tests/README.md).

namespace Tegula::Impl {

// A multiply-add of floats is three of 16 bits, or more.
inline constexpr auto fp32_split_choices = choices_of(Fp32SplitConfigs());
inline constexpr std::array fp32_split_rates{TileRates{0.5, 0.317, 8680, 29.1}, TileRates{0.331, 0.855, 3580, 23.6}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 64,
                                            .fetched       = {0.0384, 0.0357, 0.045, 0.0653},
                                            .missed        = {1, 0.267, 1, 0.379},
                                            .waiting       = 0.739,
                                            .exposed       = 0.289,
                                            .uneven        = 0.00795,
                                            .stored        = {1, 65.9, 0.498, 93.5},
                                            .walked        = {0.137, 0.245, 1.6, 0.247},
                                            .results       = {1, 3.55, 3.82, 0.935},
                                            .memory        = 0.948,
                                            .cache         = 1.43,
                                            .apart         = 0.0515,
                                            .added         = 6.3e-08,
                                            .biased        = 1.37e-07,
                                            .activated     = 0.5,
                                            .kept          = 0.28,
                                            .slices        = 2.09,
                                            .slice_bytes   = 0.519,
                                            .slice         = 8.08e-08,
                                            .copy          = 4.79,
                                            .copy_bytes    = 0.634};

}  // namespace Tegula::Impl

#endif
