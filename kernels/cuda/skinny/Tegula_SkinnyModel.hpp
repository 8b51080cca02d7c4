// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_MODEL_HPP
#define TEGULA_SKINNY_MODEL_HPP

#include <array>

#include "Tegula_SkinnyConfig.hpp"

/// What the planner knows of the skinny family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

struct SkinnyRates {
  double start, step;  // seconds: of the kernel; of a step of a tile, in which its warp waits for memory
  double full;         // of the multiply-adds
};

struct SkinnyModel {
  double memory;                  // of the bandwidth
  double added, biased;           // seconds until a C that is read, or a bias, is there
  std::array<double, 4> fetched;  // cycles for an element, by StreamBy
  std::array<double, 6> stored;   // cycles for an element: along the short side, the same in vectors, along the long
                                  // one; each without and with a C that is read
};

template <class T>
inline constexpr std::array skinny_rates{SkinnyRates{}};
template <class T>
inline constexpr SkinnyModel skinny_model{};

template <>
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.49e-06, 5.27e-07, 0.247},
                                                SkinnyRates{1.41e-06, 1.11e-06, 0.408},
                                                SkinnyRates{1.59e-06, 1.08e-06, 0.496}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = 0.951,
                                                 .added   = 9.65e-07,
                                                 .biased  = 4.61e-07,
                                                 .fetched = {0.0504, 0.0195, 0.361, 0.463},
                                                 .stored  = {1.09, 2.99, 0.166, 2.22, 0.597, 2.96}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{9.67e-07, 6.96e-07, 0.264},
                                                 SkinnyRates{1.29e-06, 7.64e-07, 0.365},
                                                 SkinnyRates{1.52e-06, 9.19e-07, 0.431}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = 0.953,
                                                  .added   = 8.46e-07,
                                                  .biased  = 6.86e-07,
                                                  .fetched = {0.0168, 0.0264, 0.263, 0.851},
                                                  .stored  = {1.09, 3.01, 0.245, 4.64, 0.48, 5.59}};

}  // namespace Tegula::Impl

#endif
