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
inline constexpr std::array fp32_split_rates{TileRates{0.5, 0.296, 8060, 4.28}, TileRates{0.278, 0.72, 5260, 4.18}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0527, 0.0388, 0.0216, 0.0814},
                                            .missed        = {0.516, 0.381, 0.688, 0.434},
                                            .waiting       = 0.826,
                                            .exposed       = 0.172,
                                            .uneven        = 0.0249,
                                            .stored        = {1, 8.37, 0.652, 10.3},
                                            .walked        = {0.184, 0.24, 0.42, 0.243},
                                            .results       = {1, 2.79, 5.6, 0.914},
                                            .memory        = 0.67,
                                            .cache         = 1.5,
                                            .apart         = 0.154,
                                            .added         = 2.74e-07,
                                            .biased        = 2.78e-06,
                                            .activated     = 0.5,
                                            .kept          = 0.28,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 6.24,
                                            .copy_bytes    = 0.75};

}  // namespace Tegula::Impl

#endif
