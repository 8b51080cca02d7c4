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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.484, 0.486, 1.57e+03, 2.73}};
template <>
inline constexpr TileModel gemv_depth_model<float>{.choices       = gemv_choices<float, Major::depth>,
                                                   .rates         = gemv_rates<float, Major::depth>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00421, 0.0602, 0.0894, 0.0397},
                                                   .stored        = {1, 0.732, 1, 1, 1.79, 2.39},
                                                   .walked        = {5.22, 5.5, 0.223, 0.223, 0.363, 1.09},
                                                   .results       = {1, 13.5, 1, 1, 1.01, 1},
                                                   .memory        = 1.73,
                                                   .cache         = 1.52,
                                                   .slices        = 1.31,
                                                   .slice_bytes   = 0.0533,
                                                   .slice         = 5.48e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.741};

template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.395, 0.356, 2.03e+03, 2.28}};
template <>
inline constexpr TileModel gemv_lines_model<float>{.choices       = gemv_choices<float, Major::lines>,
                                                   .rates         = gemv_rates<float, Major::lines>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00421, 0.0602, 0.0894, 0.0397},
                                                   .stored        = {1, 0.732, 1, 1, 1.79, 2.39},
                                                   .walked        = {5.22, 5.5, 0.223, 0.223, 0.363, 1.09},
                                                   .results       = {1, 13.5, 1, 1, 1.01, 1},
                                                   .memory        = 1.73,
                                                   .cache         = 1.52,
                                                   .slices        = 1.31,
                                                   .slice_bytes   = 0.0533,
                                                   .slice         = 5.48e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.741};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.171, 0.171, 862, 0.677}};
template <>
inline constexpr TileModel gemv_depth_model<double>{.choices       = gemv_choices<double, Major::depth>,
                                                    .rates         = gemv_rates<double, Major::depth>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.155, 0.00867, 0.0435, 0.0785},
                                                    .stored        = {1, 1.07, 1, 1, 0.673, 15.9},
                                                    .walked        = {4.82, 4.86, 0.223, 0.223, 3.79, 0.255},
                                                    .results       = {1, 1, 1, 1, 1, 1},
                                                    .memory        = 2.65,
                                                    .cache         = 0.819,
                                                    .slices        = 1.11,
                                                    .slice_bytes   = 0.512,
                                                    .slice         = 8.03e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.741};

template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.122, 0.28, 1.7e+03, 0.858}};
template <>
inline constexpr TileModel gemv_lines_model<double>{.choices       = gemv_choices<double, Major::lines>,
                                                    .rates         = gemv_rates<double, Major::lines>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.155, 0.00867, 0.0435, 0.0785},
                                                    .stored        = {1, 1.07, 1, 1, 0.673, 15.9},
                                                    .walked        = {4.82, 4.86, 0.223, 0.223, 3.79, 0.255},
                                                    .results       = {1, 1, 1, 1, 1, 1},
                                                    .memory        = 2.65,
                                                    .cache         = 0.819,
                                                    .slices        = 1.11,
                                                    .slice_bytes   = 0.512,
                                                    .slice         = 8.03e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.741};

}  // namespace Tegula::Impl

#endif
