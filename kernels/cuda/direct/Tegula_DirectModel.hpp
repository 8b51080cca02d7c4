// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_MODEL_HPP
#define TEGULA_DIRECT_MODEL_HPP

#include <array>
#include <cstdint>

/// What the planner knows of the direct family, fitted to times measured on an H200.

namespace Tegula::Impl {

struct DirectModel {
  double start;   // seconds, of a team before its first sum and behind its last
  double memory;  // of the bandwidth
  // Cycles: of a lane that waits for a batch of chunks; of a multiprocessor for a warp's read in runs along the depth,
  // across lines, and one by one where the depth or where lines are contiguous; for a warp's multiply-adds; of a thread
  // for a sum that it stores, and the same where C is read; of a team that adds up what others of its cluster have.
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
inline constexpr DirectModel direct_model<std::uint16_t>{.start    = 6.77e-07,
                                                         .memory   = 0.538,
                                                         .wait     = 983,
                                                         .read     = {1.72, 2.22, 1.28, 0.997},
                                                         .multiply = 0.565,
                                                         .store    = {743, 1070},
                                                         .cluster  = 2650};
template <>
inline constexpr DirectModel direct_model<float>{.start    = 6.83e-07,
                                                 .memory   = 1.12,
                                                 .wait     = 1080,
                                                 .read     = {4.27, 6.11, 1.34, 1.75},
                                                 .multiply = 0.0812,
                                                 .store    = {613, 952},
                                                 .cluster  = 3240};
template <>
inline constexpr DirectModel direct_model<double>{.start    = 7.77e-07,
                                                  .memory   = 0.829,
                                                  .wait     = 885,
                                                  .read     = {12.4, 14.4, 3.74, 2.38},
                                                  .multiply = 0.00499,
                                                  .store    = {661, 637},
                                                  .cluster  = 2620};

}  // namespace Tegula::Impl

#endif
