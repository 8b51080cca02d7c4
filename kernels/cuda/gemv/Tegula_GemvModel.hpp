// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_MODEL_HPP
#define TEGULA_GEMV_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "../ptx/Tegula_Major.hpp"
#include "Tegula_GemvConfig.hpp"

/// What the planner knows of the gemv family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

/// Of up to 8 lines and, in float, of up to 16.
template <class T, Major major>
inline constexpr std::array gemv_choices{choice_of<GemvTile<T, major, 8>>()};
template <Major major>
inline constexpr std::array gemv_choices<float, major>{choice_of<GemvTile<float, major, 8>>(),
                                                       choice_of<GemvTile<float, major, 16>>()};
template <class T, Major major>
inline constexpr std::array gemv_rates{TileRates{}};

/// But for choices and rates, which gemv_model_of has.
template <class T>
inline constexpr TileModel gemv_model{};

template <>
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.32, 0.42, 1500, 2.18},
                                                            TileRates{0.488, 0.7, 3890, 13.6}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.402, 0.684, 2360, 5.11},
                                                            TileRates{0.539, 0.776, 4680, 7.16}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.0861, 0.00474, 0.128, 0.174},
                                             .missed        = {0.934, 0.389, 0.804, 0.929},
                                             .waiting       = 0.922,
                                             .exposed       = 0.432,
                                             .uneven        = 0.144,
                                             .stored        = {1, 0.744, 1.16, 2.21},
                                             .walked        = {6.51, 8.35, 5.76, 8.89},
                                             .results       = {1, 6.36, 11.3, 11.2},
                                             .memory        = 2.13,
                                             .cache         = 2.14,
                                             .apart         = 0.536,
                                             .added         = 1.01e-07,
                                             .biased        = 2.76e-07,
                                             .slices        = 2.17,
                                             .slice_bytes   = 0.166,
                                             .slice         = 1.49e-08,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.161, 0.216, 1730, 1.34}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.171, 0.297, 1010, 2.03}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.187, 0.00544, 0.073, 0.348},
                                              .missed        = {0.873, 0.76, 1, 0.0797},
                                              .waiting       = 0.727,
                                              .exposed       = 0.392,
                                              .uneven        = 0.299,
                                              .stored        = {1, 0.861, 0.84, 3.35},
                                              .walked        = {5.51, 7.67, 6.04, 6.15},
                                              .results       = {1, 3.3, 2.22, 0.61},
                                              .memory        = 4.58,
                                              .cache         = 2.62,
                                              .apart         = 0.841,
                                              .added         = 2.07e-07,
                                              .biased        = 1.89e-07,
                                              .slices        = 1.5,
                                              .slice_bytes   = 0.193,
                                              .slice         = 1.23e-08,
                                              .copy          = 1,
                                              .copy_bytes    = 0.74};

/// Of kernels that stream an operand with contiguous depth, or with contiguous lines, beside so many lines.
template <class T, Major major, int lines>
inline constexpr TileModel gemv_model_of = [] {
  constexpr std::size_t place = lines / 8 - 1;
  TileModel model             = gemv_model<T>;
  model.choices               = std::span(gemv_choices<T, major>).template subspan<place, 1>();
  model.rates                 = std::span(gemv_rates<T, major>).template subspan<place, 1>();
  return model;
}();

}  // namespace Tegula::Impl

#endif
