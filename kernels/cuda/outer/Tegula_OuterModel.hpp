// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MODEL_HPP
#define TEGULA_OUTER_MODEL_HPP

#include <array>
#include <cstdint>

/// What the planner knows of the outer family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

struct OuterModel {
  double start;                  // seconds, of a kernel around its teams
  double added, biased;          // seconds until a C that is read, or a bias, is there
  std::array<double, 4> memory;  // of the bandwidth, by Stored
  double wait;                   // cycles of a team until its operands are there
  double alone;                  // by this factor a team by itself takes longer for its work
  // Cycles of a multiprocessor: for a step of depth of a tile's columns, by Fetched of the right operand; for a row of
  // a tile, and for each of its steps of depth.
  std::array<double, 4> hold;
  double row, step;
};

/// For operands of this type.
template <class Bits>
inline constexpr OuterModel outer_model{};
template <>
inline constexpr OuterModel outer_model<std::uint16_t>{.start  = 2.37e-08,
                                                       .added  = 2.18e-06,
                                                       .biased = 2.57e-08,
                                                       .memory = {2.07, 0.282, 1.52, 0.807},
                                                       .wait   = 2040,
                                                       .alone  = 1.9,
                                                       .hold   = {74.7, 81.5, 112, 64},
                                                       .row    = 22.1,
                                                       .step   = 1.6};
template <>
inline constexpr OuterModel outer_model<float>{.start  = 4.57e-07,
                                               .added  = 1.71e-06,
                                               .biased = 8.08e-08,
                                               .memory = {0.735, 0.658, 0.751, 0.652},
                                               .wait   = 145,
                                               .alone  = 1.95,
                                               .hold   = {30.5, 108, 70.5, 50.2},
                                               .row    = 17.5,
                                               .step   = 1.38};
template <>
inline constexpr OuterModel outer_model<double>{.start  = 4.5e-07,
                                                .added  = 2.91e-06,
                                                .biased = 2.65e-07,
                                                .memory = {0.808, 0.508, 0.804, 0.386},
                                                .wait   = 300,
                                                .alone  = 1.29,
                                                .hold   = {54.5, 187, 117, 78.7},
                                                .row    = 18.2,
                                                .step   = 2.37};

}  // namespace Tegula::Impl

#endif
