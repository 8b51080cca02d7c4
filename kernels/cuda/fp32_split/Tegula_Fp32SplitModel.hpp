// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_MODEL_HPP
#define TEGULA_FP32_SPLIT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Fp32SplitConfig.hpp"

/// What the planner knows of the fp32_split family, fitted to times measured on
/// an H200 (perf_tests/README.md).

namespace Tegula::Impl {

// A multiply-add of floats is three of 16 bits, or more. The inner dimension is
// cut only if options ask.
inline constexpr auto fp32_split_choices = choices_of(Fp32SplitConfigs());
inline constexpr std::array fp32_split_rates{TileRates{0.5, 0.511, 8730, 4.52}, TileRates{0.639, 0.689, 5480, 4.25}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0333, 0.0302, 0.0287, 0.0379},
                                            .missed        = {0.631, 0.3, 1, 0.431},
                                            .waiting       = 0.897,
                                            .exposed       = 1.68,
                                            .uneven        = 0.0229,
                                            .stored        = {1, 8.78, 0.445, 10.7},
                                            .walked        = {0.185, 0.243, 0.943, 0.243},
                                            .results       = {1, 3.09, 5.35, 1.15},
                                            .memory        = 0.618,
                                            .cache         = 1.47,
                                            .apart         = 0.0889,
                                            .added         = 2.67e-07,
                                            .biased        = 2.66e-06,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 6.95,
                                            .copy_bytes    = 0.742};

}  // namespace Tegula::Impl

#endif
