// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_MODEL_HPP
#define TEGULA_DIRECT_MODEL_HPP

#include <array>
#include <cstdint>

/// What the planner knows of the direct family, fitted to times measured on an H200.

namespace Tegula::Impl {

struct DirectModel {
  double start;   // seconds
  double memory;  // of the bandwidth
  // Cycles: of a team until its first batch of chunks is there, and until another one is; of a multiprocessor for a
  // warp's read in runs along the depth, across lines, and one by one where the depth or where lines are contiguous;
  // for a warp's multiply-adds, all of which take a warp by itself `alone` times as long; of a thread for a sum that it
  // stores, and the same where C is read; of a team that adds up what the others of a cluster of 2, 4 and 8 have.
  std::array<double, 2> wait;
  std::array<double, 4> read;
  double multiply, alone;
  std::array<double, 2> store;
  std::array<double, 3> cluster;
};

/// What all gradients take in one kernel: so many times as long as their teams would by the model of one product, whose
/// kernel is shorter and has twice as many chunks on their way, and so many seconds more. Of 300 layers drawn at
/// random.
struct DirectGradientsModel {
  double times, more;
};
template <class Bits>
inline constexpr DirectGradientsModel direct_gradients_model{};
template <>
inline constexpr DirectGradientsModel direct_gradients_model<std::uint16_t>{.times = 1.43, .more = 0.43e-6};
template <>
inline constexpr DirectGradientsModel direct_gradients_model<float>{.times = 1.45, .more = 0.1e-6};
template <>
inline constexpr DirectGradientsModel direct_gradients_model<double>{.times = 1.05, .more = 1.1e-6};

/// How many of a device's teams run at once in clusters of 1, 2, 4 and 8, as a share: a cluster lies in one part of a
/// device (a GPC), whose multiprocessors are not always a multiple of it. Times grow by half behind 248 teams in
/// clusters of 4 and 240 in clusters of 8, of 264, on an H200 and on an H100; not known of others.
inline constexpr std::array<double, 4> direct_at_once{1, 1, 62.0 / 66, 30.0 / 33};

/// For elements whose bits are of this type.
template <class Bits>
inline constexpr DirectModel direct_model{};
template <>
inline constexpr DirectModel direct_model<std::uint16_t>{.start    = 1.9e-07,
                                                         .memory   = 1.98,
                                                         .wait     = {2200, 286},
                                                         .read     = {0.513, 0.632, 0.412, 0.487},
                                                         .multiply = 0.388,
                                                         .alone    = 21,
                                                         .store    = {609, 1340},
                                                         .cluster  = {2270, 2360, 3400}};
template <>
inline constexpr DirectModel direct_model<float>{.start    = 1.4e-07,
                                                 .memory   = 1.86,
                                                 .wait     = {2370, 179},
                                                 .read     = {0.754, 1.25, 0.307, 0.322},
                                                 .multiply = 0.185,
                                                 .alone    = 37.6,
                                                 .store    = {496, 1130},
                                                 .cluster  = {2430, 2560, 3700}};
template <>
inline constexpr DirectModel direct_model<double>{.start    = 3.03e-07,
                                                  .memory   = 1.2,
                                                  .wait     = {1970, 28.7},
                                                  .read     = {0.163, 0.25, 0.0586, 0.0745},
                                                  .multiply = 0.0376,
                                                  .alone    = 545,
                                                  .store    = {501, 1110},
                                                  .cluster  = {2360, 2130, 3110}};

}  // namespace Tegula::Impl

#endif
