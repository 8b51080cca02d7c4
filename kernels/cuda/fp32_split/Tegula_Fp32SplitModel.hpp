// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_MODEL_HPP
#define TEGULA_FP32_SPLIT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Fp32SplitConfig.hpp"

/// What the planner knows of the fp32_split family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

// A multiply-add of floats is three of 16 bits, or more. The inner dimension is cut only if options ask.
inline constexpr auto fp32_split_choices = choices_of(Fp32SplitConfigs());
inline constexpr std::array fp32_split_rates{TileRates{0.324, 0.391, 9.46e+03, 4.06},
                                             TileRates{0.502, 0.5, 7.96e+03, 4.67}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.00441, 0.0157, 0.0258, 0.0162},
                                            .stored        = {1, 12.8, 1, 1, 5.31, 1.24},
                                            .walked        = {0.217, 1.78, 0.223, 0.223, 0.317, 0.229},
                                            .results       = {1, 1.06, 1, 1, 1.49, 1.29},
                                            .memory        = 0.423,
                                            .cache         = 0.724,
                                            .slices        = 0.0737,
                                            .slice_bytes   = 0.0985,
                                            .slice         = 1.34e-08,
                                            .copy          = 2.71,
                                            .copy_bytes    = 0.721};

}  // namespace Tegula::Impl

#endif
