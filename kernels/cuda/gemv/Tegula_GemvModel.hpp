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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.497, 0.343, 2160, 1.83},
                                                            TileRates{0.491, 0.7, 3990, 23.5}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.387, 0.632, 2910, 4.91},
                                                            TileRates{0.537, 0.756, 6030, 17}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.0686, 0.00473, 0.103, 0.153},
                                             .missed        = {1, 0.429, 0.611, 0.744},
                                             .waiting       = 0.888,
                                             .exposed       = 0.589,
                                             .uneven        = 0.134,
                                             .stored        = {1, 1.34, 0.892, 1.68},
                                             .walked        = {1.89, 3.65, 0.992, 4.04},
                                             .results       = {1, 3.16, 23.2, 12},
                                             .memory        = 2.83,
                                             .cache         = 2.36,
                                             .apart         = 0.559,
                                             .added         = 5.13e-08,
                                             .biased        = 2.53e-07,
                                             .slices        = 1.67,
                                             .slice_bytes   = 0.0987,
                                             .slice         = 1.55e-08,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.265, 0.69, 159, 1.62}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.219, 0.679, 76.2, 3.98}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0301, 0.00385, 0.0207, 0.0924},
                                              .missed        = {0.859, 1, 0.986, 0.463},
                                              .waiting       = 1.8,
                                              .exposed       = 0.697,
                                              .uneven        = 0.612,
                                              .stored        = {1, 0.799, 0.588, 2.38},
                                              .walked        = {11.7, 13.5, 12.2, 12},
                                              .results       = {1, 1.36, 12.6, 0.6},
                                              .memory        = 1.5,
                                              .cache         = 3.3,
                                              .apart         = 0.762,
                                              .added         = 2.35e-07,
                                              .biased        = 2.26e-07,
                                              .slices        = 1.26,
                                              .slice_bytes   = 0.207,
                                              .slice         = 1.39e-08,
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
