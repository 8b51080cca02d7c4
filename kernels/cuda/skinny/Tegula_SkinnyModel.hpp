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
inline constexpr std::array skinny_rates<float>{SkinnyRates{8.8e-07, 5.31e-07, 0.212},
                                                SkinnyRates{8.35e-07, 1.13e-06, 0.378},
                                                SkinnyRates{9.89e-07, 1.09e-06, 0.481}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = 0.96,
                                                 .added   = 8.38e-07,
                                                 .biased  = 4.67e-07,
                                                 .fetched = {0.0492, 0.0226, 0.331, 0.64},
                                                 .stored  = {1.04, 3.07, 0.122, 2.48, 0.423, 3}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{6.53e-07, 7.03e-07, 0.255},
                                                 SkinnyRates{8.34e-07, 8.05e-07, 0.366},
                                                 SkinnyRates{9.77e-07, 9.61e-07, 0.423}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = 0.964,
                                                  .added   = 8.1e-07,
                                                  .biased  = 5.83e-07,
                                                  .fetched = {0.0149, 0.0293, 0.249, 0.04},
                                                  .stored  = {1.1, 2.84, 0.268, 4.76, 0.464, 5.55}};

}  // namespace Tegula::Impl

#endif
