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
inline constexpr std::array fp32_split_rates{TileRates{0.277, 0.7, 7930, 4.09}, TileRates{0.26, 0.7, 4410, 3.8}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.00888, 0.0108, 0.022, 0.0668},
                                            .missed        = {0.505, 0.499, 0.563, 0.471},
                                            .waiting       = 1.18,
                                            .exposed       = 0.0742,
                                            .uneven        = 0.0203,
                                            .stored        = {1, 0.951, 1, 1, 1.15, 14.7},
                                            .walked        = {0.193, 7.1, 0.22, 0.22, 0.393, 0.245},
                                            .results       = {1, 1.49, 1, 1, 4.33, 1.23},
                                            .memory        = 0.65,
                                            .cache         = 1.56,
                                            .apart         = 0.288,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 7.66,
                                            .copy_bytes    = 0.784};

}  // namespace Tegula::Impl

#endif
