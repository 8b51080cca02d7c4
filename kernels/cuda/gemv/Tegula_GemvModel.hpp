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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.353, 0.324, 1070, 4.97}};
template <>
inline constexpr TileModel gemv_depth_model<float>{.choices       = gemv_choices<float, Major::depth>,
                                                   .rates         = gemv_rates<float, Major::depth>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00499, 0.0359, 0.0909, 0.0377},
                                                   .stored        = {1, 1.09, 1, 1, 2.96, 2.45},
                                                   .walked        = {6.73, 4.63, 0.22, 0.22, 0.192, 2.23},
                                                   .results       = {1, 10.1, 1, 1, 1.04, 1.07},
                                                   .memory        = 2.05,
                                                   .cache         = 1.43,
                                                   .slices        = 1.18,
                                                   .slice_bytes   = 0.0569,
                                                   .slice         = 7.97e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.311, 0.403, 2690, 6.51}};
template <>
inline constexpr TileModel gemv_lines_model<float>{.choices       = gemv_choices<float, Major::lines>,
                                                   .rates         = gemv_rates<float, Major::lines>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00499, 0.0359, 0.0909, 0.0377},
                                                   .stored        = {1, 1.09, 1, 1, 2.96, 2.45},
                                                   .walked        = {6.73, 4.63, 0.22, 0.22, 0.192, 2.23},
                                                   .results       = {1, 10.1, 1, 1, 1.04, 1.07},
                                                   .memory        = 2.05,
                                                   .cache         = 1.43,
                                                   .slices        = 1.18,
                                                   .slice_bytes   = 0.0569,
                                                   .slice         = 7.97e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.128, 0.7, 85.1, 0.601}};
template <>
inline constexpr TileModel gemv_depth_model<double>{.choices       = gemv_choices<double, Major::depth>,
                                                    .rates         = gemv_rates<double, Major::depth>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.145, 0.0125, 0.032, 0.0436},
                                                    .stored        = {1, 0.366, 1, 1, 0.21, 18.4},
                                                    .walked        = {5.35, 6.65, 0.22, 0.22, 6.07, 0.381},
                                                    .results       = {1, 1.02, 1, 1, 1, 0.997},
                                                    .memory        = 2.04,
                                                    .cache         = 0.658,
                                                    .slices        = 1.42,
                                                    .slice_bytes   = 0.243,
                                                    .slice         = 7.99e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.121, 0.7, 96.9, 0.72}};
template <>
inline constexpr TileModel gemv_lines_model<double>{.choices       = gemv_choices<double, Major::lines>,
                                                    .rates         = gemv_rates<double, Major::lines>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.145, 0.0125, 0.032, 0.0436},
                                                    .stored        = {1, 0.366, 1, 1, 0.21, 18.4},
                                                    .walked        = {5.35, 6.65, 0.22, 0.22, 6.07, 0.381},
                                                    .results       = {1, 1.02, 1, 1, 1, 0.997},
                                                    .memory        = 2.04,
                                                    .cache         = 0.658,
                                                    .slices        = 1.42,
                                                    .slice_bytes   = 0.243,
                                                    .slice         = 7.99e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
