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
  double activated, kept;         // likewise: for an activation that takes an exponential, and for a Z
};

template <class T>
inline constexpr std::array skinny_rates{SkinnyRates{}};
template <class T>
inline constexpr SkinnyModel skinny_model{};

template <>
inline constexpr std::array skinny_rates<float>{SkinnyRates{8.83e-07, 5.3e-07, 0.213},
                                                SkinnyRates{8.35e-07, 1.12e-06, 0.377},
                                                SkinnyRates{9.92e-07, 1.09e-06, 0.479}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory    = 0.961,
                                                 .added     = 8.39e-07,
                                                 .biased    = 4.67e-07,
                                                 .fetched   = {0.049, 0.0228, 0.331, 0.639},
                                                 .stored    = {1.04, 3.06, 0.122, 2.47, 0.421, 2.99},
                                                 .activated = 2.99,
                                                 .kept      = 0.0491};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{6.55e-07, 6.98e-07, 0.256},
                                                 SkinnyRates{8.41e-07, 8.02e-07, 0.368},
                                                 SkinnyRates{9.87e-07, 9.58e-07, 0.422}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory    = 0.965,
                                                  .added     = 9.27e-07,
                                                  .biased    = 5.71e-07,
                                                  .fetched   = {0.0146, 0.0304, 0.249, 0.04},
                                                  .stored    = {1.1, 2.69, 0.27, 4.61, 0.454, 4.96},
                                                  .activated = 5.27,
                                                  .kept      = 2.88};

}  // namespace Tegula::Impl

#endif
