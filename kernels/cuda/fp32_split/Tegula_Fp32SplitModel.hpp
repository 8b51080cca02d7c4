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
inline constexpr std::array fp32_split_rates{TileRates{0.277, 0.7, 7890, 4.06}, TileRates{0.26, 0.7, 4390, 3.76}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.00889, 0.0108, 0.0221, 0.0667},
                                            .missed        = {0.505, 0.499, 0.562, 0.472},
                                            .waiting       = 1.17,
                                            .exposed       = 0.0743,
                                            .uneven        = 0.0204,
                                            .stored        = {1, 0.941, 1, 1, 1.14, 14.5},
                                            .walked        = {0.193, 7.05, 0.22, 0.22, 0.39, 0.244},
                                            .results       = {1, 1.48, 1, 1, 4.34, 1.23},
                                            .memory        = 0.654,
                                            .cache         = 1.56,
                                            .apart         = 0.291,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 7.67,
                                            .copy_bytes    = 0.784};

}  // namespace Tegula::Impl

#endif
