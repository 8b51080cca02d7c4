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
inline constexpr std::array fp32_split_rates{TileRates{0.315, 0.7, 8220, 4.46}, TileRates{0.312, 0.7, 5360, 4.33}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0214, 0.0208, 0.0151, 0.0343},
                                            .missed        = {0.513, 0.362, 0.67, 0.424},
                                            .waiting       = 1.94,
                                            .exposed       = 0.316,
                                            .uneven        = 0.0235,
                                            .stored        = {1, 8.69, 0.542, 10.2},
                                            .walked        = {0.188, 0.243, 0.479, 0.246},
                                            .results       = {1, 2.82, 5.49, 1.26},
                                            .memory        = 0.651,
                                            .cache         = 1.48,
                                            .apart         = 0.149,
                                            .added         = 2.76e-07,
                                            .biased        = 2.77e-06,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 6.29,
                                            .copy_bytes    = 0.737};

}  // namespace Tegula::Impl

#endif
