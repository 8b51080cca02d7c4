// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MODEL_HPP
#define TEGULA_OUTER_MODEL_HPP

#include <array>
#include <cstdint>

/// What the planner knows of the outer family, fitted to times measured on an H200; what activations and a Z cost, and
/// all of elements of 16 bits, to those of an H100 (perf_tests/README.md).

namespace Tegula::Impl {

struct OuterModel {
  double start;                  // seconds, of a kernel around its teams
  double added, biased;          // seconds until a C that is read, or a bias, is there
  std::array<double, 4> memory;  // of the bandwidth, by Stored
  double wait;                   // cycles of a team until its operands are there
  double alone;                  // by this factor a team by itself takes longer for its work
  // Cycles of a multiprocessor: for a step of depth of a tile's columns, by Fetched of the right operand; for a row of
  // a tile, for each of its steps of depth, for an activation that takes an exponential and for a Z.
  std::array<double, 4> hold;
  double row, step, activated, kept;
};

/// For operands of this type.
template <class Bits>
inline constexpr OuterModel outer_model{};
template <>
inline constexpr OuterModel outer_model<std::uint16_t>{.start     = 3.98e-07,
                                                       .added     = 2.41e-06,
                                                       .biased    = 5.66e-07,
                                                       .memory    = {1.61, 0.37, 1.17, 0.439},
                                                       .wait      = 522,
                                                       .alone     = 2.39,
                                                       .hold      = {44, 102, 102, 73.7},
                                                       .row       = 20.4,
                                                       .step      = 1.34,
                                                       .activated = 37.6,
                                                       .kept      = 36.3};
template <>
inline constexpr OuterModel outer_model<float>{.start     = 4.53e-07,
                                               .added     = 1.71e-06,
                                               .biased    = 8e-08,
                                               .memory    = {0.737, 0.663, 0.752, 0.654},
                                               .wait      = 141,
                                               .alone     = 1.96,
                                               .hold      = {30.6, 108, 70.8, 50.2},
                                               .row       = 17.7,
                                               .step      = 1.37,
                                               .activated = 70.1,
                                               .kept      = 21.6};
template <>
inline constexpr OuterModel outer_model<double>{.start     = 4.49e-07,
                                                .added     = 2.91e-06,
                                                .biased    = 2.68e-07,
                                                .memory    = {0.811, 0.508, 0.804, 0.387},
                                                .wait      = 301,
                                                .alone     = 1.29,
                                                .hold      = {53.9, 188, 118, 80.6},
                                                .row       = 18,
                                                .step      = 2.38,
                                                .activated = 116,
                                                .kept      = 76.1};

}  // namespace Tegula::Impl

#endif
