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
inline constexpr OuterModel outer_model<std::uint16_t>{.start  = 1.8e-08,
                                                       .added  = 2.2e-06,
                                                       .biased = 1.14e-08,
                                                       .memory = {2.11, 0.278, 1.54, 0.804},
                                                       .wait   = 2210,
                                                       .alone  = 2.17,
                                                       .hold   = {74.6, 79.9, 134, 58.7},
                                                       .row    = 21.9,
                                                       .step   = 1.46};
template <>
inline constexpr OuterModel outer_model<float>{.start  = 6.75e-07,
                                               .added  = 1.91e-06,
                                               .biased = 4.8e-08,
                                               .memory = {0.7, 0.687, 0.719, 0.665},
                                               .wait   = 17.3,
                                               .alone  = 1.96,
                                               .hold   = {29.9, 76.5, 54.8, 50.5},
                                               .row    = 19.6,
                                               .step   = 1.34};
template <>
inline constexpr OuterModel outer_model<double>{.start  = 5.85e-07,
                                                .added  = 2.99e-06,
                                                .biased = 2.65e-07,
                                                .memory = {0.816, 0.505, 0.805, 0.395},
                                                .wait   = 436,
                                                .alone  = 1.27,
                                                .hold   = {52, 175, 96, 62.5},
                                                .row    = 20.9,
                                                .step   = 2.36};

}  // namespace Tegula::Impl

#endif
