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
inline constexpr std::array fp32_split_rates{TileRates{0.326, 0.7, 4510, 2.32}, TileRates{0.325, 0.7, 3690, 2.42}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0207, 0.0235, 0.0236, 0.0266},
                                            .missed        = {0.752, 0.496, 0.941, 0.403},
                                            .waiting       = 2.36,
                                            .exposed       = 0.485,
                                            .uneven        = 0.3,
                                            .stored        = {1, 0.696, 1, 1, 2.67, 11.4},
                                            .walked        = {0.312, 5, 0.22, 0.22, 0.24, 0.238},
                                            .results       = {1, 1.01, 1, 1, 3.11, 1.01},
                                            .memory        = 0.635,
                                            .cache         = 1.67,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 7.44,
                                            .copy_bytes    = 0.84};

}  // namespace Tegula::Impl

#endif
