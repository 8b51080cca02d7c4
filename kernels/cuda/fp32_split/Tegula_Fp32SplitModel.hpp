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
inline constexpr std::array fp32_split_rates{TileRates{0.5, 0.443, 9600, 4.71}, TileRates{0.374, 0.701, 5700, 4.41}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.032, 0.0265, 0.0293, 0.0384},
                                            .missed        = {0.641, 0.296, 0.975, 0.418},
                                            .waiting       = 0.585,
                                            .exposed       = 1.48,
                                            .uneven        = 0.0219,
                                            .stored        = {1, 9.25, 0.479, 10.2},
                                            .walked        = {0.186, 0.245, 1.4, 0.246},
                                            .results       = {1, 2.89, 4.68, 0.992},
                                            .memory        = 0.6,
                                            .cache         = 1.45,
                                            .apart         = 0.069,
                                            .added         = 2.88e-07,
                                            .biased        = 2.48e-06,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 6.56,
                                            .copy_bytes    = 0.734};

}  // namespace Tegula::Impl

#endif
