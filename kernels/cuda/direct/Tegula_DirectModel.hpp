// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_MODEL_HPP
#define TEGULA_DIRECT_MODEL_HPP

#include <array>
#include <cstdint>

/// What the planner knows of the direct family, fitted to times measured on an
/// H200.

namespace Tegula::Impl {

struct DirectModel {
  double start;   // seconds
  double memory;  // of the bandwidth
  // Cycles: of a team until its first batch of chunks is there, and until another one is; of a multiprocessor for a
  // warp's read in runs along the depth, across lines, and one by one where the depth or where lines are contiguous;
  // for a warp's multiply-adds; of a thread for a sum that it stores, and the same where C is read; of a team that adds
  // up what the others of a cluster of 2, 4 and 8 have.
  std::array<double, 2> wait;
  std::array<double, 4> read;
  double multiply;
  std::array<double, 2> store;
  std::array<double, 3> cluster;
};

/// How many of a device's teams run at once in clusters of 1, 2, 4 and 8, as a share: a cluster lies in one part of a
/// device (a GPC), whose multiprocessors are not always a multiple of it. Times double behind 264, 264, 248 and 240 of
/// 264 teams on an H200 and on an H100; not known of others.
inline constexpr std::array<double, 4> direct_at_once{1, 1, 62.0 / 66, 30.0 / 33};

/// For elements whose bits are of this type.
template <class Bits>
inline constexpr DirectModel direct_model{};
template <>
inline constexpr DirectModel direct_model<std::uint16_t>{.start    = 6.42e-07,
                                                         .memory   = 0.553,
                                                         .wait     = {2800, 1000},
                                                         .read     = {1.49, 2.19, 1.23, 0.955},
                                                         .multiply = 0.594,
                                                         .store    = {756, 1120},
                                                         .cluster  = {2000, 2650, 3500}};
template <>
inline constexpr DirectModel direct_model<float>{.start    = 6.41e-07,
                                                 .memory   = 1.14,
                                                 .wait     = {2800, 1130},
                                                 .read     = {3.82, 5.93, 1.3, 1.75},
                                                 .multiply = 0.104,
                                                 .store    = {642, 988},
                                                 .cluster  = {2000, 3270, 3500}};
template <>
inline constexpr DirectModel direct_model<double>{.start    = 8.46e-07,
                                                  .memory   = 0.877,
                                                  .wait     = {2800, 925},
                                                  .read     = {12.2, 13.4, 3.79, 2.27},
                                                  .multiply = 0.00499,
                                                  .store    = {529, 692},
                                                  .cluster  = {2000, 2620, 3500}};

}  // namespace Tegula::Impl

#endif
