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
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.6e-06, 4.97e-07, 0.23},
                                                SkinnyRates{1.69e-06, 1.04e-06, 0.381},
                                                SkinnyRates{1.91e-06, 1.06e-06, 0.505}};
template <>
inline constexpr SkinnyModel skinny_model<float>{
    .memory = 1.05, .fetched = {0.0671, 0.0129, 0.351, 0.368}, .stored = {1.15, 3.99, 0.108, 2.67, 0.788, 5.19}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{1.35e-06, 7.21e-07, 0.272},
                                                 SkinnyRates{1.54e-06, 8.41e-07, 0.393},
                                                 SkinnyRates{1.67e-06, 9.94e-07, 0.453}};
template <>
inline constexpr SkinnyModel skinny_model<double>{
    .memory = 0.944, .fetched = {0.0173, 0.0291, 0.253, 0.024}, .stored = {1.17, 4.45, 0.199, 5.45, 0.693, 6.31}};

}  // namespace Tegula::Impl

#endif
