// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_MODEL_HPP
#define TEGULA_SKINNY_MODEL_HPP

#include <array>

#include "Tegula_SkinnyConfig.hpp"

/// What the planner knows of the skinny family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

struct SkinnyRates {
  double start, step;  // seconds: of the kernel; of a step of a tile, in which
                       // its warp waits for memory
  double full;         // of the multiply-adds
};

struct SkinnyModel {
  std::array<double, 3> memory,
      fetched;                   // of the bandwidth; cycles for an element: by StreamBy
  std::array<double, 6> stored;  // cycles for an element: along the short side,
                                 // the same in vectors, along the long one; each
                                 // without and with a C that is read
};

template <class T>
inline constexpr std::array skinny_rates{SkinnyRates{}};
template <class T>
inline constexpr SkinnyModel skinny_model{};

template <>
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.13e-06, 5.08e-07, 0.184},
                                                SkinnyRates{1.93e-06, 6.54e-07, 0.266},
                                                SkinnyRates{2.32e-06, 7.47e-07, 0.381}};
template <>
inline constexpr SkinnyModel skinny_model<float>{
    .memory = {0.815, 1.25, 1.39}, .fetched = {0.0187, 0.0267, 1.01}, .stored = {2.95, 8.78, 0.114, 3.67, 0.91, 5.03}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{1.32e-06, 6.7e-07, 0.59},
                                                 SkinnyRates{1.83e-06, 7.81e-07, 0.298}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = {2.02, 1.56, 0.22},
                                                  .fetched = {0.0207, 0.021, 0.0239},
                                                  .stored  = {0.336, 7.83, 0.213, 4.27, 0.665, 5.97}};

}  // namespace Tegula::Impl

#endif
