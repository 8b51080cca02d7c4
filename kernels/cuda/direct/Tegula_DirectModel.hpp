// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_MODEL_HPP
#define TEGULA_DIRECT_MODEL_HPP

#include <array>
#include <cstdint>

/// What the planner knows of the direct family, fitted to times measured on an
/// H200.

namespace Tegula::Impl {

struct DirectModel {
  double start;   // seconds, of a team before its first sum and behind its last
  double memory;  // of the bandwidth
  // Cycles: of a lane that waits for a batch of chunks; of a multiprocessor for
  // a warp's read in runs along the depth, across lines, and one by one where
  // the depth or where lines are contiguous; for a warp's multiply-adds; of a
  // thread for a sum that it stores, and the same where C is read; of a team
  // that adds up what others of its cluster have.
  double wait;
  std::array<double, 4> read;
  double multiply;
  std::array<double, 2> store;
  double cluster;
};

/// For elements whose bits are of this type.
template <class Bits>
inline constexpr DirectModel direct_model{};
template <>
inline constexpr DirectModel direct_model<std::uint16_t>{.start    = 6.42e-07,
                                                         .memory   = 0.553,
                                                         .wait     = 1000,
                                                         .read     = {1.49, 2.19, 1.23, 0.955},
                                                         .multiply = 0.594,
                                                         .store    = {756, 1120},
                                                         .cluster  = 2650};
template <>
inline constexpr DirectModel direct_model<float>{.start    = 6.41e-07,
                                                 .memory   = 1.14,
                                                 .wait     = 1130,
                                                 .read     = {3.82, 5.93, 1.3, 1.75},
                                                 .multiply = 0.104,
                                                 .store    = {642, 988},
                                                 .cluster  = 3270};
template <>
inline constexpr DirectModel direct_model<double>{.start    = 8.46e-07,
                                                  .memory   = 0.877,
                                                  .wait     = 925,
                                                  .read     = {12.2, 13.4, 3.79, 2.27},
                                                  .multiply = 0.00499,
                                                  .store    = {529, 692},
                                                  .cluster  = 2620};

}  // namespace Tegula::Impl

#endif
