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
  std::array<double, 4> memory, fetched;  // of the bandwidth; cycles for an element: by StreamBy
  std::array<double, 6> stored;  // cycles for an element: along the short side, the same in vectors, along the long
                                 // one; each without and with a C that is read
};

template <class T>
inline constexpr std::array skinny_rates{SkinnyRates{}};
template <class T>
inline constexpr SkinnyModel skinny_model{};

template <>
inline constexpr std::array skinny_rates<float>{SkinnyRates{3.83e-07, 3.67e-07, 0.162},
                                                SkinnyRates{1.28e-06, 4.44e-07, 0.394},
                                                SkinnyRates{1.5e-06, 8.73e-07, 0.575}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = {0.622, 1.31, 0.5, 0.5},
                                                 .fetched = {0.0137, 0.091, 0.4, 0.4},
                                                 .stored  = {0.8, 1.2, 0.105, 4.36, 0.617, 4.98}};

template <>
inline constexpr std::array skinny_rates<double>{
    SkinnyRates{6.93e-07, 6.44e-07, 0.612}, SkinnyRates{9.7e-07, 9.01e-07, 0.34}, SkinnyRates{9.7e-07, 9.01e-07, 0.34}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = {2.05, 1.64, 0.7, 0.7},
                                                  .fetched = {0.0204, 0.0211, 0.3, 0.3},
                                                  .stored  = {0.8, 1.2, 0.209, 4.1, 0.649, 5.32}};

}  // namespace Tegula::Impl

#endif
