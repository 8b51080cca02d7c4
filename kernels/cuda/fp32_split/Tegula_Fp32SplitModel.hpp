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
inline constexpr std::array fp32_split_rates{TileRates{0.286, 0.7, 8810, 4.93}, TileRates{0.275, 0.7, 5230, 4.68}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0229, 0.00962, 0.0177, 0.0405},
                                            .missed        = {0.51, 0.454, 0.67, 0.453},
                                            .waiting       = 1.27,
                                            .exposed       = 0.254,
                                            .uneven        = 0.0224,
                                            .stored        = {1, 9.43, 0.502, 10.7},
                                            .walked        = {0.177, 0.318, 1.34, 0.247},
                                            .results       = {1, 2.23, 4.08, 0.974},
                                            .memory        = 0.591,
                                            .cache         = 1.49,
                                            .apart         = 0.188,
                                            .added         = 4.24e-07,
                                            .biased        = 2.85e-06,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 6.64,
                                            .copy_bytes    = 0.789};

}  // namespace Tegula::Impl

#endif
