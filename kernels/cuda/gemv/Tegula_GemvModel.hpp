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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.353, 0.34, 1080, 4.43}};
template <>
inline constexpr TileModel gemv_depth_model<float>{.choices       = gemv_choices<float, Major::depth>,
                                                   .rates         = gemv_rates<float, Major::depth>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.0052, 0.0328, 0.078, 0.0379},
                                                   .stored        = {1, 1.11, 1, 1, 2.98, 2.49},
                                                   .walked        = {6.47, 4.49, 0.22, 0.22, 0.193, 2.26},
                                                   .results       = {1, 9.72, 1, 1, 1.04, 1.07},
                                                   .memory        = 1.89,
                                                   .cache         = 1.37,
                                                   .slices        = 1.27,
                                                   .slice_bytes   = 0.0962,
                                                   .slice         = 6.31e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.315, 0.342, 2710, 7.45}};
template <>
inline constexpr TileModel gemv_lines_model<float>{.choices       = gemv_choices<float, Major::lines>,
                                                   .rates         = gemv_rates<float, Major::lines>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.0052, 0.0328, 0.078, 0.0379},
                                                   .stored        = {1, 1.11, 1, 1, 2.98, 2.49},
                                                   .walked        = {6.47, 4.49, 0.22, 0.22, 0.193, 2.26},
                                                   .results       = {1, 9.72, 1, 1, 1.04, 1.07},
                                                   .memory        = 1.89,
                                                   .cache         = 1.37,
                                                   .slices        = 1.27,
                                                   .slice_bytes   = 0.0962,
                                                   .slice         = 6.31e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.128, 0.7, 85.1, 0.6}};
template <>
inline constexpr TileModel gemv_depth_model<double>{.choices       = gemv_choices<double, Major::depth>,
                                                    .rates         = gemv_rates<double, Major::depth>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.145, 0.0125, 0.032, 0.0436},
                                                    .stored        = {1, 0.366, 1, 1, 0.21, 18.4},
                                                    .walked        = {5.35, 6.64, 0.22, 0.22, 6.07, 0.381},
                                                    .results       = {1, 1.02, 1, 1, 1, 0.997},
                                                    .memory        = 2.03,
                                                    .cache         = 0.659,
                                                    .slices        = 1.42,
                                                    .slice_bytes   = 0.244,
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
                                                    .walked        = {5.35, 6.64, 0.22, 0.22, 6.07, 0.381},
                                                    .results       = {1, 1.02, 1, 1, 1, 0.997},
                                                    .memory        = 2.03,
                                                    .cache         = 0.659,
                                                    .slices        = 1.42,
                                                    .slice_bytes   = 0.244,
                                                    .slice         = 7.99e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
