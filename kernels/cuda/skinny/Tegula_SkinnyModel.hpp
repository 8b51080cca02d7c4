// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_MODEL_HPP
#define TEGULA_SKINNY_MODEL_HPP

#include <array>

#include "Tegula_SkinnyConfig.hpp"

/// What the planner knows of the skinny family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

struct SkinnyRates {
  double start, step;  // seconds: of the kernel; of a step of a tile, in which
                       // its warp waits for memory
  double full;         // of the multiply-adds
};

struct SkinnyModel {
  double memory;                  // of the bandwidth
  std::array<double, 4> fetched;  // cycles for an element, by StreamBy
  std::array<double, 6> stored;   // cycles for an element: along the short side,
                                  // the same in vectors, along the long one; each
                                  // without and with a C that is read
};

template <class T>
inline constexpr std::array skinny_rates{SkinnyRates{}};
template <class T>
inline constexpr SkinnyModel skinny_model{};

template <>
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.71e-06, 4.04e-07, 0.224},
                                                SkinnyRates{1.58e-06, 1.1e-06, 0.336},
                                                SkinnyRates{1.97e-06, 9.96e-07, 0.427}};
template <>
inline constexpr SkinnyModel skinny_model<float>{
    .memory = 1.21, .fetched = {0.0438, 0.0156, 0.256, 0.389}, .stored = {1.2, 3.77, 0.106, 2.7, 0.617, 6.45}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{1.35e-06, 4.92e-07, 0.256},
                                                 SkinnyRates{1.53e-06, 8.32e-07, 0.369},
                                                 SkinnyRates{1.62e-06, 9.99e-07, 0.431}};
template <>
inline constexpr SkinnyModel skinny_model<double>{
    .memory = 0.968, .fetched = {0.0184, 0.0274, 0.302, 0.0235}, .stored = {0.948, 4.48, 0.201, 5.6, 1.83, 5.72}};

}  // namespace Tegula::Impl

#endif
