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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.497, 0.363, 2210, 1.86},
                                                            TileRates{0.515, 0.7, 3930, 24}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.408, 0.66, 2890, 4.72},
                                                            TileRates{0.575, 0.796, 5940, 17.5}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.0628, 0.00515, 0.0972, 0.14},
                                             .missed        = {1, 0.429, 0.565, 0.748},
                                             .waiting       = 0.918,
                                             .exposed       = 0.627,
                                             .uneven        = 0.164,
                                             .stored        = {1, 1.42, 0.822, 1.68},
                                             .walked        = {1.65, 3.57, 0.884, 3.85},
                                             .results       = {1, 3.54, 22.4, 12},
                                             .memory        = 2.65,
                                             .cache         = 2.38,
                                             .apart         = 0.558,
                                             .added         = 4.71e-08,
                                             .biased        = 2.36e-07,
                                             .activated     = 0.462,
                                             .kept          = 0.0695,
                                             .slices        = 1.74,
                                             .slice_bytes   = 0.0954,
                                             .slice         = 1.55e-08,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.289, 0.687, 179, 1.64}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.238, 0.672, 75.4, 3.77}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0283, 0.00338, 0.0232, 0.105},
                                              .missed        = {0.863, 0.977, 1, 0.283},
                                              .waiting       = 2.14,
                                              .exposed       = 0.594,
                                              .uneven        = 0.673,
                                              .stored        = {1, 0.811, 0.776, 2.35},
                                              .walked        = {11.4, 13.5, 12, 12},
                                              .results       = {1, 1.27, 5.81, 0.669},
                                              .memory        = 1.52,
                                              .cache         = 3.3,
                                              .apart         = 0.804,
                                              .added         = 1.78e-07,
                                              .biased        = 2.1e-07,
                                              .activated     = 0.781,
                                              .kept          = 0.0441,
                                              .slices        = 1.36,
                                              .slice_bytes   = 0.202,
                                              .slice         = 1.32e-08,
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
