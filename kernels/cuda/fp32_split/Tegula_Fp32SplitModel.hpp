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
inline constexpr std::array fp32_split_rates{TileRates{0.317, 0.7, 9490, 4.81}, TileRates{0.32, 0.7, 5670, 4.6}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0224, 0.0188, 0.0203, 0.0304},
                                            .missed        = {0.54, 0.386, 0.779, 0.423},
                                            .waiting       = 2.06,
                                            .exposed       = 0.389,
                                            .uneven        = 0.0209,
                                            .stored        = {1, 9.44, 0.613, 10.6},
                                            .walked        = {0.164, 0.33, 1.43, 0.246},
                                            .results       = {1, 2.67, 4.41, 0.977},
                                            .memory        = 0.597,
                                            .cache         = 1.49,
                                            .apart         = 0.0911,
                                            .added         = 4.77e-07,
                                            .biased        = 2.77e-06,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 6.47,
                                            .copy_bytes    = 0.743};

}  // namespace Tegula::Impl

#endif
