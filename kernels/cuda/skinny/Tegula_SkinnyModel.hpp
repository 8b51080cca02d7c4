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
inline constexpr std::array skinny_rates<float>{SkinnyRates{7.28e-08, 6.2e-07, 0.449},
                                                SkinnyRates{7.86e-07, 9.38e-07, 0.195},
                                                SkinnyRates{6.17e-07, 4.02e-07, 0.236}};
template <>
inline constexpr SkinnyModel skinny_model<float>{
    {0.903, 0.153, 0.805}, {0.14, 0.0137, 1.53}, {1.89, 6.25, 0.147, 7.99, 0.826, 21.9}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{5.41e-07, 8.89e-07, 0.105},
                                                 SkinnyRates{1.33e-06, 4.4e-07, 0.12}};
template <>
inline constexpr SkinnyModel skinny_model<double>{
    {1.18, 0.705, 0.569}, {0.0263, 0.0191, 0.281}, {0.342, 7.76, 0.223, 0.339, 0.332, 7.94}};

}  // namespace Tegula::Impl

#endif
