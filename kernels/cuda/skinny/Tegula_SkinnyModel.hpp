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
  double memory;                  // of the bandwidth
  std::array<double, 4> fetched;  // cycles for an element, by StreamBy
  std::array<double, 6> stored;   // cycles for an element: along the short side,
                                  // the same in vectors, along the long one; each
                                  // without and with a C that is read
};

template <class T>
inline constexpr std::array skinny_rates{SkinnyRates{}};
template <class T>
inline constexpr SkinnyModel skinny_model{};

template <>
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.6e-06, 4.98e-07, 0.231},
                                                SkinnyRates{1.63e-06, 1.14e-06, 0.405},
                                                SkinnyRates{1.98e-06, 1.02e-06, 0.507}};
template <>
inline constexpr SkinnyModel skinny_model<float>{
    .memory = 0.987, .fetched = {0.0507, 0.0134, 0.314, 0.374}, .stored = {1.14, 3.97, 0.107, 2.64, 0.78, 5.11}};

template <>
inline constexpr std::array skinny_rates<double>{SkinnyRates{1.35e-06, 7.26e-07, 0.271},
                                                 SkinnyRates{1.56e-06, 8.36e-07, 0.405},
                                                 SkinnyRates{1.73e-06, 9.82e-07, 0.461}};
template <>
inline constexpr SkinnyModel skinny_model<double>{
    .memory = 0.942, .fetched = {0.0176, 0.0284, 0.258, 0.024}, .stored = {1.17, 4.41, 0.199, 5.26, 0.701, 6.3}};

}  // namespace Tegula::Impl

#endif
