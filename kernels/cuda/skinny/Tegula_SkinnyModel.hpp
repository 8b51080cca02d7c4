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
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.16e-06, 5.76e-07, 0.389},
                                                SkinnyRates{1.74e-06, 1.1e-06, 0.541},
                                                SkinnyRates{1.5e-06, 8.72e-07, 0.339}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = {1.04, 1.18, 1.06, 2.02},
                                                 .fetched = {0.142, 0.0139, 0.51, 0.589},
                                                 .stored  = {4.25, 3.27, 0.105, 2.59, 0.875, 11.8}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{1.07e-06, 8.14e-07, 0.215},
                                                 SkinnyRates{1.72e-06, 8.04e-07, 0.329},
                                                 SkinnyRates{2.03e-06, 8.61e-07, 0.487}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = {0.9, 0.763, 0.726, 0.501},
                                                  .fetched = {0.0157, 0.0885, 0.792, 0.341},
                                                  .stored  = {0.366, 4.44, 0.211, 4.99, 0.214, 4.95}};

}  // namespace Tegula::Impl

#endif
