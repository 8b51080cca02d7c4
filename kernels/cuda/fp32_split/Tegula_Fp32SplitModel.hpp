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
inline constexpr std::array fp32_split_rates{TileRates{0.325, 0.7, 4420, 2.28}, TileRates{0.324, 0.7, 3580, 2.36}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0211, 0.0233, 0.0232, 0.0268},
                                            .missed        = {0.752, 0.497, 0.931, 0.404},
                                            .waiting       = 2.34,
                                            .exposed       = 0.486,
                                            .stored        = {1, 0.691, 1, 1, 2.58, 11},
                                            .walked        = {0.313, 4.92, 0.22, 0.22, 0.238, 0.237},
                                            .results       = {1, 1.01, 1, 1, 3.15, 1.01},
                                            .memory        = 0.61,
                                            .cache         = 1.64,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 7.46,
                                            .copy_bytes    = 0.847};

}  // namespace Tegula::Impl

#endif
