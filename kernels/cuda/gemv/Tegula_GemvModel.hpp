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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.597, 0.357, 3510, 2.32}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.362, 0.419, 3940, 3.69}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.00354, 0.0288, 0.0816, 0.0467},
                                             .missed        = {1, 0.697, 0.677, 0.497},
                                             .waiting       = 3.61,
                                             .exposed       = 0.698,
                                             .uneven        = 0.128,
                                             .stored        = {1, 1.05, 1, 1, 1.91, 3.86},
                                             .walked        = {1.48, 4.1, 0.22, 0.22, 0.111, 2.58},
                                             .results       = {1, 1.56, 1, 1, 1.21, 1.26},
                                             .memory        = 1.87,
                                             .cache         = 1.18,
                                             .apart         = 0.231,
                                             .slices        = 3.65,
                                             .slice_bytes   = 0.0849,
                                             .slice         = 9.55e-09,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.235, 0.697, 360, 1.16}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.217, 0.693, 538, 2.33}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.00542, 0.00558, 0.0805, 0.05},
                                              .missed        = {0.732, 0.623, 0.462, 0.443},
                                              .waiting       = 1,
                                              .exposed       = 0.2,
                                              .uneven        = 0.752,
                                              .stored        = {1, 0.464, 1, 1, 0.397, 29.6},
                                              .walked        = {7.52, 10.6, 0.22, 0.22, 9.05, 0.478},
                                              .results       = {1, 0.628, 1, 1, 2.37, 0.876},
                                              .memory        = 1.32,
                                              .cache         = 1.35,
                                              .apart         = 0.483,
                                              .slices        = 3.21,
                                              .slice_bytes   = 0.205,
                                              .slice         = 1.07e-08,
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
