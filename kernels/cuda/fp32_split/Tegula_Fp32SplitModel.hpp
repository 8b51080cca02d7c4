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
inline constexpr std::array fp32_split_rates{TileRates{0.293, 0.7, 8340, 2.83}, TileRates{0.275, 0.7, 5590, 3.05}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0206, 0.0232, 0.0175, 0.0299},
                                            .missed        = {0.557, 0.497, 0.626, 0.483},
                                            .waiting       = 2,
                                            .exposed       = 0.4,
                                            .stored        = {1, 6.13, 1, 1, 2.13, 14.9},
                                            .walked        = {0.16, 0.355, 0.22, 0.22, 0.464, 0.231},
                                            .results       = {1, 0.987, 1, 1, 2.73, 1.02},
                                            .memory        = 0.561,
                                            .cache         = 1.67,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 7.38,
                                            .copy_bytes    = 0.894};

}  // namespace Tegula::Impl

#endif
