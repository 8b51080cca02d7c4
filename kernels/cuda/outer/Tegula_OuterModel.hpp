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
inline constexpr OuterModel outer_model<std::uint16_t>{.start  = 2.35e-08,
                                                       .added  = 2.08e-06,
                                                       .biased = 2.67e-08,
                                                       .memory = {2.08, 0.283, 1.48, 0.807},
                                                       .wait   = 1980,
                                                       .alone  = 2,
                                                       .hold   = {73.2, 80.9, 126, 61.5},
                                                       .row    = 21.3,
                                                       .step   = 1.61};
template <>
inline constexpr OuterModel outer_model<float>{.start  = 4.47e-07,
                                               .added  = 1.71e-06,
                                               .biased = 8.03e-08,
                                               .memory = {0.736, 0.658, 0.75, 0.652},
                                               .wait   = 171,
                                               .alone  = 1.94,
                                               .hold   = {30.5, 108, 70.7, 50.2},
                                               .row    = 17.6,
                                               .step   = 1.39};
template <>
inline constexpr OuterModel outer_model<double>{.start  = 4.37e-07,
                                                .added  = 2.91e-06,
                                                .biased = 2.82e-07,
                                                .memory = {0.809, 0.508, 0.799, 0.39},
                                                .wait   = 286,
                                                .alone  = 1.29,
                                                .hold   = {55.1, 188, 119, 81.6},
                                                .row    = 18.8,
                                                .step   = 2.28};

}  // namespace Tegula::Impl

#endif
