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
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.34e-06, 5.19e-07, 0.217},
                                                SkinnyRates{1.27e-06, 1.19e-06, 0.393},
                                                SkinnyRates{1.63e-06, 1e-06, 0.513}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = 0.98,
                                                 .added   = 1.06e-06,
                                                 .biased  = 5.25e-07,
                                                 .fetched = {0.0611, 0.0148, 0.377, 0.671},
                                                 .stored  = {1.16, 2.91, 0.165, 2.18, 0.585, 3.34}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{8.38e-07, 7.22e-07, 0.274},
                                                 SkinnyRates{1.05e-06, 8.06e-07, 0.385},
                                                 SkinnyRates{1.45e-06, 9.24e-07, 0.445}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = 0.946,
                                                  .added   = 9.24e-07,
                                                  .biased  = 8.51e-07,
                                                  .fetched = {0.0183, 0.024, 0.245, 0.707},
                                                  .stored  = {1.19, 3.02, 0.238, 4.66, 0.666, 5.6}};

}  // namespace Tegula::Impl

#endif
