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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.59, 0.355, 3490, 2.33}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.363, 0.422, 3920, 3.67}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.00356, 0.0286, 0.082, 0.047},
                                             .missed        = {1, 0.685, 0.674, 0.499},
                                             .waiting       = 3.64,
                                             .exposed       = 0.692,
                                             .uneven        = 0.129,
                                             .stored        = {1, 1.04, 1, 1, 1.99, 3.81},
                                             .walked        = {1.52, 4.08, 0.22, 0.22, 0.111, 2.58},
                                             .results       = {1, 1.55, 1, 1, 1.22, 1.26},
                                             .memory        = 1.86,
                                             .cache         = 1.19,
                                             .apart         = 0.241,
                                             .slices        = 3.66,
                                             .slice_bytes   = 0.0827,
                                             .slice         = 9.33e-09,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.246, 0.697, 355, 1.18}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.225, 0.693, 564, 2.45}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.00543, 0.00558, 0.0803, 0.0499},
                                              .missed        = {0.733, 0.624, 0.462, 0.442},
                                              .waiting       = 0.994,
                                              .exposed       = 0.199,
                                              .uneven        = 0.822,
                                              .stored        = {1, 0.456, 1, 1, 0.396, 29},
                                              .walked        = {7.37, 10.4, 0.22, 0.22, 8.8, 0.475},
                                              .results       = {1, 0.629, 1, 1, 2.34, 0.874},
                                              .memory        = 1.29,
                                              .cache         = 1.32,
                                              .apart         = 0.492,
                                              .slices        = 3.18,
                                              .slice_bytes   = 0.198,
                                              .slice         = 1.05e-08,
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
