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
template <class T>
inline constexpr TileModel gemv_depth_model{};
template <class T>
inline constexpr TileModel gemv_lines_model{};

template <>
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.302, 0.7, 928, 3.95}};
template <>
inline constexpr TileModel gemv_depth_model<float>{.choices       = gemv_choices<float, Major::depth>,
                                                   .rates         = gemv_rates<float, Major::depth>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00488, 0.0274, 0.0429, 0.0844},
                                                   .missed        = {1, 1, 0.981, 0.549},
                                                   .waiting       = 3.45,
                                                   .exposed       = 0.691,
                                                   .stored        = {1, 0.917, 1, 1, 1.6, 1.56},
                                                   .walked        = {17.1, 13.1, 0.22, 0.22, 16, 11.7},
                                                   .results       = {1, 1.22, 1, 1, 1.09, 1.06},
                                                   .memory        = 1.16,
                                                   .cache         = 0.766,
                                                   .slices        = 3.38,
                                                   .slice_bytes   = 0.0583,
                                                   .slice         = 6.53e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.328, 0.7, 514, 3.41}};
template <>
inline constexpr TileModel gemv_lines_model<float>{.choices       = gemv_choices<float, Major::lines>,
                                                   .rates         = gemv_rates<float, Major::lines>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00488, 0.0274, 0.0429, 0.0844},
                                                   .missed        = {1, 1, 0.981, 0.549},
                                                   .waiting       = 3.45,
                                                   .exposed       = 0.691,
                                                   .stored        = {1, 0.917, 1, 1, 1.6, 1.56},
                                                   .walked        = {17.1, 13.1, 0.22, 0.22, 16, 11.7},
                                                   .results       = {1, 1.22, 1, 1, 1.09, 1.06},
                                                   .memory        = 1.16,
                                                   .cache         = 0.766,
                                                   .slices        = 3.38,
                                                   .slice_bytes   = 0.0583,
                                                   .slice         = 6.53e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.24, 0.7, 743, 1.07}};
template <>
inline constexpr TileModel gemv_depth_model<double>{.choices       = gemv_choices<double, Major::depth>,
                                                    .rates         = gemv_rates<double, Major::depth>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.0435, 0.0278, 0.0259, 0.0379},
                                                    .missed        = {0.85, 1, 0.138, 0.108},
                                                    .waiting       = 12.8,
                                                    .exposed       = 0.29,
                                                    .stored        = {1, 0.364, 1, 1, 0.316, 44.4},
                                                    .walked        = {11.5, 15.3, 0.22, 0.22, 14.1, 0.302},
                                                    .results       = {1, 1.02, 1, 1, 1, 0.999},
                                                    .memory        = 1.37,
                                                    .cache         = 0.655,
                                                    .slices        = 3.49,
                                                    .slice_bytes   = 0.302,
                                                    .slice         = 8.72e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{1.06, 0.7, 842, 1.42}};
template <>
inline constexpr TileModel gemv_lines_model<double>{.choices       = gemv_choices<double, Major::lines>,
                                                    .rates         = gemv_rates<double, Major::lines>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.0435, 0.0278, 0.0259, 0.0379},
                                                    .missed        = {0.85, 1, 0.138, 0.108},
                                                    .waiting       = 12.8,
                                                    .exposed       = 0.29,
                                                    .stored        = {1, 0.364, 1, 1, 0.316, 44.4},
                                                    .walked        = {11.5, 15.3, 0.22, 0.22, 14.1, 0.302},
                                                    .results       = {1, 1.02, 1, 1, 1, 0.999},
                                                    .memory        = 1.37,
                                                    .cache         = 0.655,
                                                    .slices        = 3.49,
                                                    .slice_bytes   = 0.302,
                                                    .slice         = 8.72e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
