// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_MODEL_HPP
#define TEGULA_FP32_SPLIT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Fp32SplitConfig.hpp"

/// What the planner knows of the fp32_split family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

// A multiply-add of floats is three of 16 bits, or more. The inner dimension is cut only if options ask.
inline constexpr auto fp32_split_choices = choices_of(Fp32SplitConfigs());
inline constexpr std::array fp32_split_rates{TileRates{0.239, 0.344, 8.13e+03, 3.22},
                                             TileRates{0.398, 0.398, 9.27e+03, 4.23}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.00446, 0.0188, 0.0237, 0.0189},
                                            .stored        = {1, 15, 1, 1, 6.27, 1.01},
                                            .walked        = {0.227, 1.92, 0.223, 0.223, 0.305, 0.223},
                                            .results       = {1, 1.06, 1, 1, 1.37, 1.06},
                                            .memory        = 0.258,
                                            .cache         = 0.555,
                                            .slices        = 0.0748,
                                            .slice_bytes   = 0.0601,
                                            .slice         = 1.36e-08,
                                            .copy          = 3.49,
                                            .copy_bytes    = 0.656};

}  // namespace Tegula::Impl

#endif
