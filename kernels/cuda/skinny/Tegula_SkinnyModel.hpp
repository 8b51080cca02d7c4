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
inline constexpr std::array skinny_rates<float>{SkinnyRates{8.86e-07, 5.27e-07, 0.212},
                                                SkinnyRates{8.23e-07, 1.14e-06, 0.376},
                                                SkinnyRates{9.88e-07, 1.09e-06, 0.478}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = 0.952,
                                                 .added   = 8.38e-07,
                                                 .biased  = 4.69e-07,
                                                 .fetched = {0.0429, 0.0212, 0.331, 0.637},
                                                 .stored  = {1.04, 3.07, 0.122, 2.48, 0.406, 3}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{6.41e-07, 7.05e-07, 0.255},
                                                 SkinnyRates{8.27e-07, 8.07e-07, 0.367},
                                                 SkinnyRates{9.72e-07, 9.62e-07, 0.423}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = 0.963,
                                                  .added   = 8.13e-07,
                                                  .biased  = 5.95e-07,
                                                  .fetched = {0.0148, 0.03, 0.252, 0.04},
                                                  .stored  = {1.09, 2.83, 0.266, 4.76, 0.438, 5.54}};

}  // namespace Tegula::Impl

#endif
