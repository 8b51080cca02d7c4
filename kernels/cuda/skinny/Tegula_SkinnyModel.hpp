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
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.48e-06, 5.25e-07, 0.432},
                                                SkinnyRates{1.65e-06, 8.82e-07, 0.434},
                                                SkinnyRates{1.49e-06, 1.38e-06, 0.691}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = {0.879, 1.18, 1.13, 1.78},
                                                 .fetched = {0.181, 0.0143, 0.504, 0.633},
                                                 .stored  = {2.07, 3.16, 0.104, 2.85, 0.932, 6.24}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{1.19e-06, 8.42e-07, 0.241},
                                                 SkinnyRates{1.7e-06, 8.15e-07, 0.334},
                                                 SkinnyRates{1.95e-06, 9.41e-07, 0.44}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = {0.866, 0.99, 0.649, 0.526},
                                                  .fetched = {0.0158, 0.0835, 0.548, 0.392},
                                                  .stored  = {0.366, 4.43, 0.211, 5.09, 0.212, 5.43}};

}  // namespace Tegula::Impl

#endif
