// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_MODEL_HPP
#define TEGULA_FP32_SPLIT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Fp32SplitConfig.hpp"

/// What the planner knows of the fp32_split family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

// A multiply-add of floats is three of 16 bits, or more. The inner dimension is cut only if options ask.
inline constexpr auto fp32_split_choices = choices_of(Fp32SplitConfigs());
inline constexpr std::array fp32_split_rates{TileRates{0.344, 0.7, 11300, 5.74}, TileRates{0.317, 0.7, 7960, 9.75}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0073, 0.0234, 0.0355, 0.0216},
                                            .stored        = {1, 14.8, 1, 1, 6.83, 32.7},
                                            .walked        = {0.154, 3.81, 0.22, 0.22, 0.734, 4.42},
                                            .results       = {1, 0.956, 1, 1, 0.782, 1.01},
                                            .memory        = 0.629,
                                            .cache         = 1.41,
                                            .slices        = 0.041,
                                            .slice_bytes   = 0.126,
                                            .slice         = 1e-08,
                                            .copy          = 2.1,
                                            .copy_bytes    = 0.781};

}  // namespace Tegula::Impl

#endif
