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
  std::array<double, 3> memory, fetched;  // of the bandwidth; cycles for an element: by StreamBy
  std::array<double, 6> stored;  // cycles for an element: along the short side, the same in vectors, along the long
                                 // one; each without and with a C that is read
};

template <class T>
inline constexpr std::array skinny_rates{SkinnyRates{}};
template <class T>
inline constexpr SkinnyModel skinny_model{};

template <>
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.33e-07, 5.89e-07, 0.195},
                                                SkinnyRates{9.78e-07, 7.17e-07, 0.294},
                                                SkinnyRates{1.35e-06, 5.2e-07, 0.207}};
template <>
inline constexpr SkinnyModel skinny_model<float>{
    .memory = {1, 0.145, 0.805}, .fetched = {0.0339, 0.0218, 1.13}, .stored = {2.79, 6.17, 0.141, 4, 1.18, 7.51}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{5.97e-07, 6.12e-07, 0.0769},
                                                 SkinnyRates{1.21e-06, 5.55e-07, 0.122}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = {1.22, 1.04, 0.561},
                                                  .fetched = {0.0269, 0.0202, 0.296},
                                                  .stored  = {0.342, 7.73, 0.223, 0.339, 0.345, 7.8}};

}  // namespace Tegula::Impl

#endif
