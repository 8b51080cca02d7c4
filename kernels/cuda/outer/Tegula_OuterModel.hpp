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
inline constexpr OuterModel outer_model<std::uint16_t>{.start  = 1.12e-08,
                                                       .added  = 3.12e-06,
                                                       .biased = 1.74e-07,
                                                       .memory = {2.02, 0.248, 0.913, 0.802},
                                                       .wait   = 4020,
                                                       .alone  = 2.31,
                                                       .hold   = {40, 58, 86.1, 31},
                                                       .row    = 20.6,
                                                       .step   = 1.78};
template <>
inline constexpr OuterModel outer_model<float>{.start  = 1.01e-06,
                                               .added  = 2.15e-06,
                                               .biased = 7.2e-08,
                                               .memory = {0.738, 0.607, 0.736, 0.585},
                                               .wait   = 371,
                                               .alone  = 2.08,
                                               .hold   = {35.6, 100, 62.3, 49.5},
                                               .row    = 16.8,
                                               .step   = 1.69};
template <>
inline constexpr OuterModel outer_model<double>{.start  = 6.24e-07,
                                                .added  = 2.7e-06,
                                                .biased = 2.8e-07,
                                                .memory = {0.829, 0.659, 0.827, 0.537},
                                                .wait   = 910,
                                                .alone  = 1.37,
                                                .hold   = {55.5, 196, 130, 78.4},
                                                .row    = 24.4,
                                                .step   = 2.55};

}  // namespace Tegula::Impl

#endif
