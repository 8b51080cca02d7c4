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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.343, 0.7, 1110, 3.06}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.352, 0.7, 343, 3.3}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.00482, 0.0368, 0.08, 0.0425},
                                             .missed        = {1, 0.571, 1, 0.54},
                                             .waiting       = 4.38,
                                             .exposed       = 0.963,
                                             .stored        = {1, 0.878, 1, 1, 1.37, 3.02},
                                             .walked        = {15.6, 17.6, 0.22, 0.22, 10.6, 16.6},
                                             .results       = {1, 1.4, 1, 1, 1.13, 1.09},
                                             .memory        = 1.11,
                                             .cache         = 0.853,
                                             .slices        = 2.99,
                                             .slice_bytes   = 0.0881,
                                             .slice         = 1.87e-08,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.14, 0.7, 888, 1.02}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.23, 0.699, 620, 1.7}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0538, 0.0123, 0.0253, 0.0402},
                                              .missed        = {0.719, 0.363, 0.325, 0.258},
                                              .waiting       = 5.7,
                                              .exposed       = 1.34,
                                              .stored        = {1, 0.453, 1, 1, 0.321, 38.9},
                                              .walked        = {9.88, 12.4, 0.22, 0.22, 10.1, 0.479},
                                              .results       = {1, 1.01, 1, 1, 1, 0.998},
                                              .memory        = 2.29,
                                              .cache         = 0.786,
                                              .slices        = 2.93,
                                              .slice_bytes   = 0.151,
                                              .slice         = 1.16e-08,
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
