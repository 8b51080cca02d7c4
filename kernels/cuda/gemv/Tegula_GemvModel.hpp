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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.94, 0.369, 3350, 1.12}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.382, 0.478, 4230, 8.46}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.005, 0.0199, 0.0604, 0.0403},
                                             .missed        = {1, 1, 0.304, 0.267},
                                             .waiting       = 5.64,
                                             .exposed       = 0.884,
                                             .uneven        = 0.0968,
                                             .stored        = {1, 0.248, 1.45, 1.98},
                                             .walked        = {0.381, 0.149, 0.144, 0.317},
                                             .results       = {1, 7.89, 1.18, 1.27},
                                             .memory        = 1.6,
                                             .cache         = 1.53,
                                             .apart         = 0.253,
                                             .added         = 4.54e-07,
                                             .biased        = 2.25e-07,
                                             .slices        = 3.65,
                                             .slice_bytes   = 0.0623,
                                             .slice         = 5.41e-09,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.257, 0.692, 442, 0.971}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.221, 0.691, 327, 1.87}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.00604, 0.00396, 0.108, 0.0747},
                                              .missed        = {0.924, 0.679, 0.331, 0.53},
                                              .waiting       = 1.58,
                                              .exposed       = 0.317,
                                              .uneven        = 0.728,
                                              .stored        = {1, 0.478, 0.51, 17.5},
                                              .walked        = {6.15, 6.81, 6.88, 0.492},
                                              .results       = {1, 1.12, 1.54, 1.04},
                                              .memory        = 1.49,
                                              .cache         = 1.66,
                                              .apart         = 0.667,
                                              .added         = 4.88e-07,
                                              .biased        = 2.9e-07,
                                              .slices        = 2.95,
                                              .slice_bytes   = 0.186,
                                              .slice         = 7.2e-09,
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
