// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_MODEL_HPP
#define TEGULA_FP32_SPLIT_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_Fp32SplitConfig.hpp"

/// What the planner knows of the fp32_split family, fitted to times measured on
/// an H200 (perf_tests/README.md).

namespace Tegula::Impl {

// A multiply-add of floats is three of 16 bits, or more.
inline constexpr auto fp32_split_choices = choices_of(Fp32SplitConfigs());
inline constexpr std::array fp32_split_rates{TileRates{0.5, 0.424, 6400, 39}, TileRates{0.473, 0.821, 3910, 50.5},
                                             TileRates{0.389, 0.406, 3590, 41.8}};
static_assert(fp32_split_rates.size() == fp32_split_choices.size(), "every configuration has rates");
inline constexpr TileModel fp32_split_model{.choices       = fp32_split_choices,
                                            .rates         = fp32_split_rates,
                                            .multiply_adds = &CudaRates::wgmma_half,
                                            .element_bytes = sizeof(float),
                                            .sum_bytes     = sizeof(float),
                                            .shortest      = 64,
                                            .fetched       = {0.0379, 0.0546, 0.0445, 0.0586},
                                            .missed        = {1, 0.23, 1, 0.498},
                                            .waiting       = 0.99,
                                            .exposed       = 0.576,
                                            .uneven        = 0.00564,
                                            .stored        = {1, 87.1, 0.425, 152},
                                            .walked        = {0.127, 0.246, 8.12, 0.248},
                                            .results       = {1, 2.44, 3.44, 0.942},
                                            .memory        = 1.06,
                                            .cache         = 1.58,
                                            .apart         = 0.0243,
                                            .added         = 2.56e-08,
                                            .biased        = 7.48e-08,
                                            .activated     = 0.5,
                                            .kept          = 0.042,
                                            .slices        = 4.9,
                                            .slice_bytes   = 0.278,
                                            .slice         = 6.65e-08,
                                            .copy          = 5.15,
                                            .copy_bytes    = 0.544};

}  // namespace Tegula::Impl

#endif
