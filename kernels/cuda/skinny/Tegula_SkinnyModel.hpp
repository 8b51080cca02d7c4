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
inline constexpr std::array skinny_rates<float>{
    SkinnyRates{1.72e-06, 4.7e-07, 0.233}, SkinnyRates{1.42e-06, 1.3e-06, 0.371}, SkinnyRates{2.1e-06, 9.1e-07, 0.434}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = {0.922, 0.922, 0.922, 0.922},
                                                 .fetched = {0.0206, 0.0322, 0.233, 0.407},
                                                 .stored  = {1.06, 3.78, 0.102, 2.66, 0.56, 6.05}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{1.43e-06, 5.76e-07, 0.331},
                                                 SkinnyRates{1.76e-06, 7.64e-07, 0.422},
                                                 SkinnyRates{1.91e-06, 8.54e-07, 0.465}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = {0.877, 0.877, 0.877, 0.261},
                                                  .fetched = {0.0138, 0.151, 0.423, 0.0219},
                                                  .stored  = {1.08, 4.27, 0.19, 4.95, 1.44, 5.47}};

}  // namespace Tegula::Impl

#endif
