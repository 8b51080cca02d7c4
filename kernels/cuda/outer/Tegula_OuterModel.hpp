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
inline constexpr OuterModel outer_model<std::uint16_t>{.start  = 2.32e-08,
                                                       .added  = 2.22e-06,
                                                       .biased = 2.44e-08,
                                                       .memory = {2.08, 0.282, 1.51, 0.807},
                                                       .wait   = 2050,
                                                       .alone  = 1.89,
                                                       .hold   = {74, 82.9, 112, 63.8},
                                                       .row    = 22.2,
                                                       .step   = 1.55};
template <>
inline constexpr OuterModel outer_model<float>{.start  = 4.37e-07,
                                               .added  = 1.72e-06,
                                               .biased = 8.34e-08,
                                               .memory = {0.735, 0.656, 0.745, 0.651},
                                               .wait   = 190,
                                               .alone  = 1.94,
                                               .hold   = {30.4, 107, 70.4, 50.5},
                                               .row    = 17.5,
                                               .step   = 1.4};
template <>
inline constexpr OuterModel outer_model<double>{.start  = 4.34e-07,
                                                .added  = 2.91e-06,
                                                .biased = 2.9e-07,
                                                .memory = {0.809, 0.509, 0.795, 0.394},
                                                .wait   = 284,
                                                .alone  = 1.29,
                                                .hold   = {55, 189, 120, 85.6},
                                                .row    = 19.3,
                                                .step   = 2.23};

}  // namespace Tegula::Impl

#endif
