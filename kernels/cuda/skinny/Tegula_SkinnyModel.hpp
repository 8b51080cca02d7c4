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
  double added;                   // seconds that a C which is read takes
  std::array<double, 4> fetched;  // cycles for an element, by StreamBy
  std::array<double, 6> stored;   // cycles for an element: along the short side, the same in vectors, along the long
                                  // one; each without and with a C that is read
};

template <class T>
inline constexpr std::array skinny_rates{SkinnyRates{}};
template <class T>
inline constexpr SkinnyModel skinny_model{};

template <>
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.64e-06, 5.64e-07, 0.244},
                                                SkinnyRates{1.46e-06, 1.31e-06, 0.414},
                                                SkinnyRates{1.91e-06, 1.04e-06, 0.515}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = 0.978,
                                                 .added   = 7.58e-07,
                                                 .fetched = {0.0594, 0.0154, 0.31, 0.161},
                                                 .stored  = {1.14, 3.25, 0.122, 2.14, 0.754, 3.82}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{1.31e-06, 7.21e-07, 0.285},
                                                 SkinnyRates{1.48e-06, 8.41e-07, 0.398},
                                                 SkinnyRates{1.66e-06, 9.86e-07, 0.459}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = 0.945,
                                                  .added   = 9.01e-07,
                                                  .fetched = {0.0165, 0.0279, 0.258, 0.0258},
                                                  .stored  = {1.18, 3.56, 0.198, 3.89, 0.717, 5.62}};

}  // namespace Tegula::Impl

#endif
