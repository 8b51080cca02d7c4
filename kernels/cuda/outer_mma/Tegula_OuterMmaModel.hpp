// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MMA_MODEL_HPP
#define TEGULA_OUTER_MMA_MODEL_HPP

#include <array>

/// What the planner knows of the outer_mma family, fitted to times measured on an H100 (perf_tests/README.md).

namespace Tegula::Impl {

struct OuterMmaModel {
  double start;                  // seconds, of a kernel around its teams
  double biased;                 // seconds until a bias is there
  std::array<double, 2> memory;  // of the bandwidth: of tiles side by side, and of tiles that lap
  double wait;                   // cycles of a team until its operands are there
  double alone;                  // by this factor a team by itself takes longer for its work
  // Cycles of a multiprocessor: for a step of depth of a tile's columns, by Fetched of the right operand; for a row of
  // a tile, and for each of its steps of depth.
  std::array<double, 4> hold;
  double row, step;
};

inline constexpr OuterMmaModel outer_mma_model{.start  = 1.88e-06,
                                               .biased = 1.92e-07,
                                               .memory = {3.7, 0.602},
                                               .wait   = 821,
                                               .alone  = 2.12,
                                               .hold   = {37.8, 15.5, 32.9, 56.3},
                                               .row    = 7.92,
                                               .step   = 0.376};

}  // namespace Tegula::Impl

#endif
