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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.5, 0.42, 3190, 1.03}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.391, 1.05, 4150, 7.77}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.0278, 0.0118, 0.0666, 0.0712},
                                             .missed        = {0.631, 1, 0.916, 0.189},
                                             .waiting       = 0.436,
                                             .exposed       = 2.89,
                                             .uneven        = 0.118,
                                             .stored        = {1, 0.204, 1.42, 2.02},
                                             .walked        = {0.511, 0.116, 0.129, 0.239},
                                             .results       = {1, 6.42, 1.1, 1.42},
                                             .memory        = 2.05,
                                             .cache         = 1.69,
                                             .apart         = 0.368,
                                             .added         = 4.58e-07,
                                             .biased        = 2.4e-07,
                                             .slices        = 3.3,
                                             .slice_bytes   = 0.0845,
                                             .slice         = 2.4e-09,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.23, 0.7, 517, 0.876}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.298, 0.371, 648, 1.96}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0327, 0.00539, 0.0496, 0.0282},
                                              .missed        = {1, 1, 0.166, 0.439},
                                              .waiting       = 5.88,
                                              .exposed       = 0.359,
                                              .uneven        = 0.709,
                                              .stored        = {1, 0.454, 0.425, 3.47},
                                              .walked        = {5.6, 6.71, 6.55, 5.35},
                                              .results       = {1, 0.903, 1.97, 0.913},
                                              .memory        = 1.4,
                                              .cache         = 1.94,
                                              .apart         = 0.483,
                                              .added         = 3.91e-07,
                                              .biased        = 2.37e-07,
                                              .slices        = 3.14,
                                              .slice_bytes   = 0.267,
                                              .slice         = 4.01e-09,
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
