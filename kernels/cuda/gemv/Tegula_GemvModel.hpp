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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.592, 0.356, 3500, 2.36}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.364, 0.422, 3930, 3.73}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.00355, 0.0289, 0.0815, 0.0467},
                                             .missed        = {1, 0.685, 0.673, 0.497},
                                             .waiting       = 3.61,
                                             .exposed       = 0.693,
                                             .uneven        = 0.132,
                                             .stored        = {1, 1.05, 1, 1, 1.91, 3.81},
                                             .walked        = {1.47, 4.11, 0.22, 0.22, 0.111, 2.57},
                                             .results       = {1, 1.56, 1, 1, 1.21, 1.26},
                                             .memory        = 1.86,
                                             .cache         = 1.18,
                                             .apart         = 0.237,
                                             .slices        = 3.67,
                                             .slice_bytes   = 0.0835,
                                             .slice         = 9.29e-09,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.232, 0.697, 363, 1.16}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.213, 0.693, 525, 2.34}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.00542, 0.00558, 0.0819, 0.0499},
                                              .missed        = {0.731, 0.623, 0.462, 0.442},
                                              .waiting       = 1.02,
                                              .exposed       = 0.204,
                                              .uneven        = 0.757,
                                              .stored        = {1, 0.461, 1, 1, 0.396, 29.4},
                                              .walked        = {7.5, 10.6, 0.22, 0.22, 8.97, 0.476},
                                              .results       = {1, 0.628, 1, 1, 2.39, 0.877},
                                              .memory        = 1.38,
                                              .cache         = 1.34,
                                              .apart         = 0.505,
                                              .slices        = 3.16,
                                              .slice_bytes   = 0.201,
                                              .slice         = 1.07e-08,
                                              .copy          = 1,
                                              .copy_bytes    = 0.74};

/// Of kernels that stream an operand with contiguous depth, or with contiguous
/// lines.
template <class T, Major major>
inline constexpr TileModel gemv_model_of = [] {
  TileModel model = gemv_model<T>;
  model.choices   = gemv_choices<T, major>;
  model.rates     = gemv_rates<T, major>;
  return model;
}();

}  // namespace Tegula::Impl

#endif
