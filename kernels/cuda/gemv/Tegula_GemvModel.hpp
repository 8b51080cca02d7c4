// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_MODEL_HPP
#define TEGULA_GEMV_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "../ptx/Tegula_Major.hpp"
#include "Tegula_GemvConfig.hpp"

/// What the planner knows of the gemv family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

/// Of up to 8 lines, and of up to 16.
template <class T, Major major>
inline constexpr std::array gemv_choices{choice_of<GemvTile<T, major, 8>>(), choice_of<GemvTile<T, major, 16>>()};
template <class T, Major major>
inline constexpr std::array gemv_rates{TileRates{}, TileRates{}};

/// But for choices and rates, which gemv_model_of has.
template <class T>
inline constexpr TileModel gemv_model{};

template <>
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.5, 0.419, 3280, 1.1},
                                                            TileRates{0.5, 0.419, 3280, 1.1}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.385, 1.04, 4080, 7.16},
                                                            TileRates{0.385, 1.04, 4080, 7.16}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.0269, 0.0122, 0.0686, 0.0679},
                                             .missed        = {0.658, 1, 0.917, 0.186},
                                             .waiting       = 0.457,
                                             .exposed       = 2.81,
                                             .uneven        = 0.117,
                                             .stored        = {1, 0.289, 1.33, 1.88},
                                             .walked        = {0.421, 0.141, 0.126, 0.234},
                                             .results       = {1, 10.2, 1.1, 1.42},
                                             .memory        = 2.1,
                                             .cache         = 1.71,
                                             .apart         = 0.387,
                                             .added         = 4.84e-07,
                                             .biased        = 2.7e-07,
                                             .slices        = 3.26,
                                             .slice_bytes   = 0.0795,
                                             .slice         = 2.38e-09,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.227, 0.7, 524, 0.874},
                                                             TileRates{0.227, 0.7, 524, 0.874}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.293, 0.365, 632, 1.96},
                                                             TileRates{0.293, 0.365, 632, 1.96}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0329, 0.00542, 0.0497, 0.0278},
                                              .missed        = {1, 1, 0.166, 0.436},
                                              .waiting       = 5.91,
                                              .exposed       = 0.362,
                                              .uneven        = 0.696,
                                              .stored        = {1, 0.458, 0.418, 3.51},
                                              .walked        = {5.65, 6.76, 6.59, 5.35},
                                              .results       = {1, 0.903, 1.85, 0.912},
                                              .memory        = 1.39,
                                              .cache         = 1.93,
                                              .apart         = 0.467,
                                              .added         = 4e-07,
                                              .biased        = 2.34e-07,
                                              .slices        = 3.13,
                                              .slice_bytes   = 0.258,
                                              .slice         = 4e-09,
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
