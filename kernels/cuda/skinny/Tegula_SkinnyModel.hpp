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
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.32e-06, 5.47e-07, 0.233},
                                                SkinnyRates{1.26e-06, 1.14e-06, 0.39},
                                                SkinnyRates{1.4e-06, 1.11e-06, 0.485}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = 0.961,
                                                 .added   = 9.49e-07,
                                                 .biased  = 4.52e-07,
                                                 .fetched = {0.0501, 0.0208, 0.323, 0.412},
                                                 .stored  = {1.08, 3.09, 0.2, 2.39, 0.634, 2.93}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{8.66e-07, 7.32e-07, 0.25},
                                                 SkinnyRates{1.11e-06, 8.33e-07, 0.364},
                                                 SkinnyRates{1.35e-06, 9.67e-07, 0.431}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = 0.952,
                                                  .added   = 9.3e-07,
                                                  .biased  = 5.56e-07,
                                                  .fetched = {0.015, 0.0273, 0.249, 0.0367},
                                                  .stored  = {1.07, 2.95, 0.263, 4.83, 0.445, 5.61}};

}  // namespace Tegula::Impl

#endif
