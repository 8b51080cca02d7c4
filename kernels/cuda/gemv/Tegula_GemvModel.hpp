// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_MODEL_HPP
#define TEGULA_GEMV_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "../ptx/Tegula_Major.hpp"
#include "Tegula_GemvConfig.hpp"

/// What the planner knows of the gemv family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

template <class T, Major major>
inline constexpr std::array gemv_choices{choice_of<GemvTile<T, major>>()};
template <class T, Major major>
inline constexpr std::array gemv_rates{TileRates{}};

/// But for choices and rates, which gemv_model_of has.
template <class T>
inline constexpr TileModel gemv_model{};

template <>
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.5, 0.417, 3190, 1.03}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.393, 1.07, 4160, 7.73}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.0279, 0.0117, 0.0664, 0.0713},
                                             .missed        = {0.629, 1, 0.915, 0.189},
                                             .waiting       = 0.44,
                                             .exposed       = 2.88,
                                             .uneven        = 0.118,
                                             .stored        = {1, 0.204, 1.42, 2.03},
                                             .walked        = {0.511, 0.116, 0.129, 0.239},
                                             .results       = {1, 6.53, 1.1, 1.42},
                                             .memory        = 2.08,
                                             .cache         = 1.7,
                                             .apart         = 0.364,
                                             .added         = 4.56e-07,
                                             .biased        = 2.39e-07,
                                             .slices        = 3.3,
                                             .slice_bytes   = 0.0849,
                                             .slice         = 2.39e-09,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.231, 0.7, 506, 0.877}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.304, 0.374, 638, 1.96}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0325, 0.00519, 0.0485, 0.0277},
                                              .missed        = {1, 1, 0.164, 0.438},
                                              .waiting       = 5.8,
                                              .exposed       = 0.387,
                                              .uneven        = 0.716,
                                              .stored        = {1, 0.452, 0.423, 3.46},
                                              .walked        = {5.61, 6.75, 6.56, 5.39},
                                              .results       = {1, 0.917, 1.94, 0.913},
                                              .memory        = 1.39,
                                              .cache         = 1.77,
                                              .apart         = 0.475,
                                              .added         = 3.85e-07,
                                              .biased        = 2.38e-07,
                                              .slices        = 3.14,
                                              .slice_bytes   = 0.261,
                                              .slice         = 4.03e-09,
                                              .copy          = 1,
                                              .copy_bytes    = 0.74};

/// Of kernels that stream an operand with contiguous depth, or with contiguous lines.
template <class T, Major major>
inline constexpr TileModel gemv_model_of = [] {
  TileModel model = gemv_model<T>;
  model.choices   = gemv_choices<T, major>;
  model.rates     = gemv_rates<T, major>;
  return model;
}();

}  // namespace Tegula::Impl

#endif
