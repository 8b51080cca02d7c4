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
inline constexpr std::array fp32_split_rates{TileRates{0.298, 0.7, 8450, 3.11}, TileRates{0.281, 0.7, 5440, 3.22}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 1 << 30,
                                            .fetched       = {0.0199, 0.0208, 0.0199, 0.0276},
                                            .missed        = {0.562, 0.498, 0.635, 0.48},
                                            .waiting       = 1.83,
                                            .exposed       = 0.368,
                                            .stored        = {1, 6.88, 1, 1, 2.43, 14.4},
                                            .walked        = {0.158, 0.366, 0.22, 0.22, 0.455, 0.235},
                                            .results       = {1, 0.986, 1, 1, 2.98, 1.02},
                                            .memory        = 0.573,
                                            .cache         = 1.7,
                                            .slices        = 1,
                                            .slice_bytes   = 0.7,
                                            .slice         = 1e-08,
                                            .copy          = 7.41,
                                            .copy_bytes    = 0.758};

}  // namespace Tegula::Impl

#endif
