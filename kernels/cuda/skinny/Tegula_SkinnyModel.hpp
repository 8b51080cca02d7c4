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
inline constexpr std::array skinny_rates<float>{SkinnyRates{1.34e-06, 5.15e-07, 0.214},
                                                SkinnyRates{1.3e-06, 1.17e-06, 0.392},
                                                SkinnyRates{1.6e-06, 1.02e-06, 0.499}};
template <>
inline constexpr SkinnyModel skinny_model<float>{.memory  = 0.958,
                                                 .added   = 1.07e-06,
                                                 .biased  = 5.25e-07,
                                                 .fetched = {0.0497, 0.0157, 0.387, 0.663},
                                                 .stored  = {1.09, 2.9, 0.164, 2.18, 0.585, 3.33}};

template <>
inline constexpr std::array skinny_rates<double>{
    SkinnyRates{8.63e-07, 7.2e-07, 0.268}, SkinnyRates{1.08e-06, 8e-07, 0.365}, SkinnyRates{1.45e-06, 9.29e-07, 0.435}};
template <>
inline constexpr SkinnyModel skinny_model<double>{.memory  = 0.941,
                                                  .added   = 9.07e-07,
                                                  .biased  = 8.38e-07,
                                                  .fetched = {0.0166, 0.027, 0.26, 0.686},
                                                  .stored  = {1.1, 3.02, 0.239, 4.67, 0.652, 5.61}};

}  // namespace Tegula::Impl

#endif
