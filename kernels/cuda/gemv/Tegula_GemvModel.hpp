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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.497, 0.362, 2200, 1.87},
                                                            TileRates{0.512, 0.7, 3930, 24.1}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.408, 0.663, 2900, 4.74},
                                                            TileRates{0.567, 0.794, 5930, 17.4}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.064, 0.00514, 0.0977, 0.144},
                                             .missed        = {1, 0.429, 0.564, 0.75},
                                             .waiting       = 0.869,
                                             .exposed       = 0.625,
                                             .uneven        = 0.164,
                                             .stored        = {1, 1.43, 0.826, 1.68},
                                             .walked        = {1.65, 3.58, 0.883, 3.87},
                                             .results       = {1, 3.54, 22.5, 12},
                                             .memory        = 2.65,
                                             .cache         = 2.38,
                                             .apart         = 0.555,
                                             .added         = 4.74e-08,
                                             .biased        = 2.36e-07,
                                             .slices        = 1.74,
                                             .slice_bytes   = 0.0975,
                                             .slice         = 1.55e-08,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.286, 0.69, 161, 1.69}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.244, 0.679, 76, 4.08}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0326, 0.004, 0.0196, 0.0896},
                                              .missed        = {0.916, 1, 1, 0.513},
                                              .waiting       = 1.85,
                                              .exposed       = 0.716,
                                              .uneven        = 0.707,
                                              .stored        = {1, 0.796, 0.59, 2.35},
                                              .walked        = {11.5, 13.5, 12, 12},
                                              .results       = {1, 1.37, 12.7, 0.599},
                                              .memory        = 1.44,
                                              .cache         = 3.29,
                                              .apart         = 0.748,
                                              .added         = 2.03e-07,
                                              .biased        = 2.21e-07,
                                              .slices        = 1.29,
                                              .slice_bytes   = 0.205,
                                              .slice         = 1.4e-08,
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
