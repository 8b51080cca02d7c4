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
inline constexpr std::array fp32_split_rates{TileRates{0.288, 0.7, 8590, 3.85}, TileRates{0.273, 0.7, 6610, 5.68}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.00416, 0.0277, 0.0468, 0.0381},
                                            .missed        = {0.498, 0.571, 0.753, 0.288},
                                            .waiting       = 1.62,
                                            .exposed       = 0.34,
                                            .stored        = {1, 10.6, 1, 1, 3.84, 3.05},
                                            .walked        = {0.121, 1.15, 0.22, 0.22, 0.67, 0.263},
                                            .results       = {1, 0.984, 1, 1, 1.03, 1.03},
                                            .memory        = 0.506,
                                            .cache         = 1.6,
                                            .slices        = 0.674,
                                            .slice_bytes   = 0.148,
                                            .slice         = 2.79e-08,
                                            .copy          = 6.59,
                                            .copy_bytes    = 0.816};

}  // namespace Tegula::Impl

#endif
