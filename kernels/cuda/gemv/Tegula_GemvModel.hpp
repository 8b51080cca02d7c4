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
inline constexpr std::array gemv_rates<float, Major::depth>{TileRates{0.263, 0.7, 798, 3.04}};
template <>
inline constexpr TileModel gemv_depth_model<float>{.choices       = gemv_choices<float, Major::depth>,
                                                   .rates         = gemv_rates<float, Major::depth>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00519, 0.0168, 0.056, 0.0748},
                                                   .missed        = {1, 0.487, 0.948, 0.459},
                                                   .waiting       = 3.01,
                                                   .exposed       = 0.602,
                                                   .stored        = {1, 0.817, 1, 1, 2.54, 1.37},
                                                   .walked        = {15.8, 12.8, 0.22, 0.22, 11.4, 11.6},
                                                   .results       = {1, 1.72, 1, 1, 1.17, 1.11},
                                                   .memory        = 1.07,
                                                   .cache         = 1.24,
                                                   .slices        = 3.22,
                                                   .slice_bytes   = 0.0582,
                                                   .slice         = 6.49e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<float, Major::lines>{TileRates{0.326, 0.7, 941, 3.27}};
template <>
inline constexpr TileModel gemv_lines_model<float>{.choices       = gemv_choices<float, Major::lines>,
                                                   .rates         = gemv_rates<float, Major::lines>,
                                                   .multiply_adds = &CudaRates::fma_float,
                                                   .element_bytes = sizeof(float),
                                                   .sum_bytes     = sizeof(float),
                                                   .shortest      = 64,
                                                   .fetched       = {0.00519, 0.0168, 0.056, 0.0748},
                                                   .missed        = {1, 0.487, 0.948, 0.459},
                                                   .waiting       = 3.01,
                                                   .exposed       = 0.602,
                                                   .stored        = {1, 0.817, 1, 1, 2.54, 1.37},
                                                   .walked        = {15.8, 12.8, 0.22, 0.22, 11.4, 11.6},
                                                   .results       = {1, 1.72, 1, 1, 1.17, 1.11},
                                                   .memory        = 1.07,
                                                   .cache         = 1.24,
                                                   .slices        = 3.22,
                                                   .slice_bytes   = 0.0582,
                                                   .slice         = 6.49e-09,
                                                   .copy          = 1,
                                                   .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::depth>{TileRates{0.263, 0.7, 812, 1.04}};
template <>
inline constexpr TileModel gemv_depth_model<double>{.choices       = gemv_choices<double, Major::depth>,
                                                    .rates         = gemv_rates<double, Major::depth>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.0459, 0.0286, 0.0243, 0.0351},
                                                    .missed        = {0.928, 0.959, 0.171, 0.116},
                                                    .waiting       = 12.8,
                                                    .exposed       = 0.289,
                                                    .stored        = {1, 0.351, 1, 1, 0.285, 40.1},
                                                    .walked        = {10.7, 13.7, 0.22, 0.22, 12.7, 0.311},
                                                    .results       = {1, 1.01, 1, 1, 1, 0.999},
                                                    .memory        = 1.81,
                                                    .cache         = 0.743,
                                                    .slices        = 3.46,
                                                    .slice_bytes   = 0.194,
                                                    .slice         = 8.72e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.74};

template <>
inline constexpr std::array gemv_rates<double, Major::lines>{TileRates{0.983, 0.7, 803, 1.48}};
template <>
inline constexpr TileModel gemv_lines_model<double>{.choices       = gemv_choices<double, Major::lines>,
                                                    .rates         = gemv_rates<double, Major::lines>,
                                                    .multiply_adds = &CudaRates::mma_double,
                                                    .element_bytes = sizeof(double),
                                                    .sum_bytes     = sizeof(double),
                                                    .shortest      = 64,
                                                    .fetched       = {0.0459, 0.0286, 0.0243, 0.0351},
                                                    .missed        = {0.928, 0.959, 0.171, 0.116},
                                                    .waiting       = 12.8,
                                                    .exposed       = 0.289,
                                                    .stored        = {1, 0.351, 1, 1, 0.285, 40.1},
                                                    .walked        = {10.7, 13.7, 0.22, 0.22, 12.7, 0.311},
                                                    .results       = {1, 1.01, 1, 1, 1, 0.999},
                                                    .memory        = 1.81,
                                                    .cache         = 0.743,
                                                    .slices        = 3.46,
                                                    .slice_bytes   = 0.194,
                                                    .slice         = 8.72e-09,
                                                    .copy          = 1,
                                                    .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
