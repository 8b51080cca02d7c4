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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.336, 0.7, 1080, 2.96}};
template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.326, 0.7, 351, 3.34}};
template <>
inline constexpr TileModel gemv_model<float>{.choices       = {},
                                             .rates         = {},
                                             .multiply_adds = &CudaRates::fma_float,
                                             .element_bytes = sizeof(float),
                                             .sum_bytes     = sizeof(float),
                                             .shortest      = 64,
                                             .fetched       = {0.00495, 0.0367, 0.07, 0.043},
                                             .missed        = {1, 0.599, 1, 0.543},
                                             .waiting       = 4.09,
                                             .exposed       = 0.866,
                                             .uneven        = 0.3,
                                             .stored        = {1, 0.826, 1, 1, 1.49, 2.96},
                                             .walked        = {15.6, 16, 0.22, 0.22, 12.2, 16.3},
                                             .results       = {1, 1.39, 1, 1, 1.13, 1.09},
                                             .memory        = 1.12,
                                             .cache         = 0.871,
                                             .slices        = 3.29,
                                             .slice_bytes   = 0.0702,
                                             .slice         = 1.53e-08,
                                             .copy          = 1,
                                             .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.136, 0.7, 768, 1.01}};
template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.216, 0.699, 567, 1.68}};
template <>
inline constexpr TileModel gemv_model<double>{.choices       = {},
                                              .rates         = {},
                                              .multiply_adds = &CudaRates::mma_double,
                                              .element_bytes = sizeof(double),
                                              .sum_bytes     = sizeof(double),
                                              .shortest      = 64,
                                              .fetched       = {0.0521, 0.0127, 0.0252, 0.0373},
                                              .missed        = {0.69, 0.357, 0.324, 0.255},
                                              .waiting       = 5.47,
                                              .exposed       = 1.38,
                                              .uneven        = 0.3,
                                              .stored        = {1, 0.452, 1, 1, 0.324, 40.5},
                                              .walked        = {9.91, 12.8, 0.22, 0.22, 10.1, 0.48},
                                              .results       = {1, 1.01, 1, 1, 1, 0.998},
                                              .memory        = 2.28,
                                              .cache         = 0.766,
                                              .slices        = 2.94,
                                              .slice_bytes   = 0.141,
                                              .slice         = 1.15e-08,
                                              .copy          = 1,
                                              .copy_bytes    = 0.74};

/// Of kernels that stream an operand with contiguous depth, or with contiguous
/// lines.
template <class T, Major major>
inline constexpr TileModel gemv_model_of = [] {
  TileModel model = gemv_model<T>;
  model.choices   = gemv_choices<T, major>;
  model.rates     = gemv_rates<T, major>;
  return model;
}();

}  // namespace Tegula::Impl

#endif
