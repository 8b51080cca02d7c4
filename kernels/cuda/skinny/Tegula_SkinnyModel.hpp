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
inline constexpr std::array skinny_rates<float>{SkinnyRates{8.81e-07, 5.27e-07, 0.21},
                                                SkinnyRates{8.18e-07, 1.14e-06, 0.372},
                                                SkinnyRates{9.84e-07, 1.1e-06, 0.476}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = 0.954,
                                                 .added   = 8.38e-07,
                                                 .biased  = 4.72e-07,
                                                 .fetched = {0.0401, 0.0201, 0.333, 0.636},
                                                 .stored  = {1.04, 3.07, 0.122, 2.48, 0.402, 3}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{6.33e-07, 7.04e-07, 0.255},
                                                 SkinnyRates{8.26e-07, 8.09e-07, 0.368},
                                                 SkinnyRates{9.71e-07, 9.63e-07, 0.423}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = 0.961,
                                                  .added   = 8.14e-07,
                                                  .biased  = 5.93e-07,
                                                  .fetched = {0.0147, 0.0303, 0.252, 0.04},
                                                  .stored  = {1.08, 2.84, 0.265, 4.77, 0.43, 5.55}};

}  // namespace Tegula::Impl

#endif
