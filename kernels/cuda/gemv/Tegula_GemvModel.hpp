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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.497, 0.351, 2160, 1.81},
                                                            TileRates{0.498, 0.7, 3980, 24}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.401, 0.655, 2890, 4.57},
                                                            TileRates{0.556, 0.777, 6030, 17.4}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.0676, 0.00505, 0.0982, 0.147},
                                             .missed        = {1, 0.429, 0.574, 0.754},
                                             .waiting       = 0.878,
                                             .exposed       = 0.625,
                                             .uneven        = 0.141,
                                             .stored        = {1, 1.41, 0.855, 1.69},
                                             .walked        = {1.88, 3.69, 1.04, 4.01},
                                             .results       = {1, 3.43, 22.7, 12.3},
                                             .memory        = 2.77,
                                             .cache         = 2.38,
                                             .apart         = 0.558,
                                             .added         = 4.9e-08,
                                             .biased        = 2.4e-07,
                                             .slices        = 1.74,
                                             .slice_bytes   = 0.0994,
                                             .slice         = 1.54e-08,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.275, 0.69, 159, 1.65}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.228, 0.679, 76.6, 4.03}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0306, 0.0039, 0.0202, 0.0915},
                                              .missed        = {0.881, 1, 0.995, 0.487},
                                              .waiting       = 1.81,
                                              .exposed       = 0.701,
                                              .uneven        = 0.65,
                                              .stored        = {1, 0.798, 0.589, 2.36},
                                              .walked        = {11.7, 13.5, 12.1, 12},
                                              .results       = {1, 1.36, 12.7, 0.599},
                                              .memory        = 1.47,
                                              .cache         = 3.3,
                                              .apart         = 0.757,
                                              .added         = 2.27e-07,
                                              .biased        = 2.25e-07,
                                              .slices        = 1.27,
                                              .slice_bytes   = 0.208,
                                              .slice         = 1.38e-08,
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
