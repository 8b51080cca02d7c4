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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.3, 0.7, 1300, 3.33}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.332, 0.7, 505, 3.33}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.0049, 0.0287, 0.045, 0.0684},
                                             .missed        = {1, 0.911, 0.96, 0.471},
                                             .waiting       = 3.32,
                                             .exposed       = 0.663,
                                             .stored        = {1, 0.996, 1, 1, 1.63, 2.08},
                                             .walked        = {15.8, 16.4, 0.22, 0.22, 13.4, 16.8},
                                             .results       = {1, 1.23, 1, 1, 1.09, 1.06},
                                             .memory        = 1.15,
                                             .cache         = 0.767,
                                             .slices        = 3.01,
                                             .slice_bytes   = 0.0599,
                                             .slice         = 7.46e-09,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.237, 0.7, 929, 1.04}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{1.07, 0.7, 659, 1.73}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0438, 0.0282, 0.0268, 0.033},
                                              .missed        = {1, 0.92, 0.137, 0.107},
                                              .waiting       = 12.9,
                                              .exposed       = 0.292,
                                              .stored        = {1, 0.366, 1, 1, 0.328, 43.7},
                                              .walked        = {10.6, 14.4, 0.22, 0.22, 12.9, 0.302},
                                              .results       = {1, 1.04, 1, 1, 1, 0.999},
                                              .memory        = 1.19,
                                              .cache         = 0.715,
                                              .slices        = 3.42,
                                              .slice_bytes   = 0.21,
                                              .slice         = 8.74e-09,
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
