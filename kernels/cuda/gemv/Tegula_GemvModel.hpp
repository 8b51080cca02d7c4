// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_MODEL_HPP
#define TEGULA_GEMV_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "../ptx/Tegula_Major.hpp"
#include "Tegula_GemvConfig.hpp"

/// What the planner knows of the gemv family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

template <class T, Major major>
inline constexpr std::array gemv_choices{choice_of<GemvTile<T, major>>()};
template <class T, Major major>
inline constexpr std::array gemv_rates{TileRates{}};
template <class T>
inline constexpr TileModel gemv_depth_model{};
template <class T>
inline constexpr TileModel gemv_lines_model{};

template <>
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.454, 0.452, 743, 3.12}};
template <>
inline constexpr TileModel gemv_depth_model<float>{.choices       = gemv_choices<float, Major::depth>,
                                                   .rates         = gemv_rates<float, Major::depth>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00463, 0.0519, 0.0949, 0.039},
                                                   .stored        = {1, 0.759, 1, 1, 1.71, 2.14},
                                                   .walked        = {10.5, 7.31, 0.223, 0.223, 0.463, 1.35},
                                                   .results       = {1, 19.4, 1, 1, 1.01, 1},
                                                   .memory        = 2.2,
                                                   .cache         = 1.5,
                                                   .slices        = 1.2,
                                                   .slice_bytes   = 0.08,
                                                   .slice         = 4.97e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.741};

template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.315, 0.312, 1.53e+03, 2.1}};
template <>
inline constexpr TileModel gemv_lines_model<float>{.choices       = gemv_choices<float, Major::lines>,
                                                   .rates         = gemv_rates<float, Major::lines>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00463, 0.0519, 0.0949, 0.039},
                                                   .stored        = {1, 0.759, 1, 1, 1.71, 2.14},
                                                   .walked        = {10.5, 7.31, 0.223, 0.223, 0.463, 1.35},
                                                   .results       = {1, 19.4, 1, 1, 1.01, 1},
                                                   .memory        = 2.2,
                                                   .cache         = 1.5,
                                                   .slices        = 1.2,
                                                   .slice_bytes   = 0.08,
                                                   .slice         = 4.97e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.741};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.139, 0.139, 691, 0.819}};
template <>
inline constexpr TileModel gemv_depth_model<double>{.choices       = gemv_choices<double, Major::depth>,
                                                    .rates         = gemv_rates<double, Major::depth>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.142, 0.00784, 0.0466, 0.09},
                                                    .stored        = {1, 1.24, 1, 1, 0.791, 9.81},
                                                    .walked        = {5.81, 5.76, 0.223, 0.223, 3.59, 0.267},
                                                    .results       = {1, 1, 1, 1, 1, 1},
                                                    .memory        = 2.67,
                                                    .cache         = 0.932,
                                                    .slices        = 1.33,
                                                    .slice_bytes   = 0.423,
                                                    .slice         = 3.76e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.741};

template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.122, 0.346, 2.98e+03, 0.669}};
template <>
inline constexpr TileModel gemv_lines_model<double>{.choices       = gemv_choices<double, Major::lines>,
                                                    .rates         = gemv_rates<double, Major::lines>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.142, 0.00784, 0.0466, 0.09},
                                                    .stored        = {1, 1.24, 1, 1, 0.791, 9.81},
                                                    .walked        = {5.81, 5.76, 0.223, 0.223, 3.59, 0.267},
                                                    .results       = {1, 1, 1, 1, 1, 1},
                                                    .memory        = 2.67,
                                                    .cache         = 0.932,
                                                    .slices        = 1.33,
                                                    .slice_bytes   = 0.423,
                                                    .slice         = 3.76e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.741};

}  // namespace Tegula::Impl

#endif
