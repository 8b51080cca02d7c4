// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_MODEL_HPP
#define TEGULA_DIRECT_MODEL_HPP

#include <array>
#include <cstdint>

/// What the planner knows of the direct family, fitted to times measured on an H200; what activations and a Z cost, and
/// all of elements of 16 bits, to those of an H100, but for clusters and memory.

namespace Tegula::Impl {

struct DirectModel {
  double start;   // seconds
  double memory;  // of the bandwidth
  // Cycles: of a team until its first batch of chunks is there, and until another one is; of a multiprocessor for a
  // warp's read in runs along the depth, across lines, and one by one where the depth or where lines are contiguous;
  // for a warp's multiply-adds, all of which take a warp by itself `alone` times as long; of a thread for a sum that it
  // stores, and the same where C is read, for an activation that takes an exponential and for a Z; of a team that adds
  // up what the others of a cluster of 2, 4 and 8 have.
  std::array<double, 2> wait;
  std::array<double, 4> read;
  double multiply, alone;
  std::array<double, 2> store;
  double activated, kept;
  std::array<double, 3> cluster;
};

/// What all gradients take in one kernel: so many times as long as their teams would by the model of one product, whose
/// kernel is shorter and has twice as many chunks on their way, and so many seconds more. Of 300 layers drawn at
/// random; of 16 bits, of five layers with few rows and columns on an H200.
struct DirectGradientsModel {
  double times, more;
};
template <class Bits>
inline constexpr DirectGradientsModel direct_gradients_model{};
template <>
inline constexpr DirectGradientsModel direct_gradients_model<std::uint16_t>{.times = 1.1, .more = 0.1e-6};
template <>
inline constexpr DirectGradientsModel direct_gradients_model<float>{.times = 1.45, .more = 0.1e-6};
template <>
inline constexpr DirectGradientsModel direct_gradients_model<double>{.times = 1.05, .more = 1.1e-6};

/// For elements whose bits are of this type.
template <class Bits>
inline constexpr DirectModel direct_model{};
template <>
inline constexpr DirectModel direct_model<std::uint16_t>{.start     = 3.79e-10,
                                                         .memory    = 0.893,
                                                         .wait      = {1920, 576},
                                                         .read      = {0.404, 0.845, 0.489, 0.678},
                                                         .multiply  = 0.411,
                                                         .alone     = 13.8,
                                                         .store     = {683, 1140},
                                                         .activated = 419,
                                                         .kept      = 102,
                                                         .cluster   = {650, 833, 1100}};
template <>
inline constexpr DirectModel direct_model<float>{.start     = 1.51e-09,
                                                 .memory    = 1.21,
                                                 .wait      = {1510, 118},
                                                 .read      = {0.554, 1.02, 0.296, 0.309},
                                                 .multiply  = 0.206,
                                                 .alone     = 40,
                                                 .store     = {560, 1050},
                                                 .activated = 475,
                                                 .kept      = 16.7,
                                                 .cluster   = {420, 659, 971}};
template <>
inline constexpr DirectModel direct_model<double>{.start     = 5.97e-09,
                                                  .memory    = 0.918,
                                                  .wait      = {1510, 10.9},
                                                  .read      = {0.173, 0.254, 0.0514, 0.0835},
                                                  .multiply  = 0.0619,
                                                  .alone     = 412,
                                                  .store     = {534, 840},
                                                  .activated = 576,
                                                  .kept      = 5.85,
                                                  .cluster   = {1490, 919, 1180}};

}  // namespace Tegula::Impl

#endif
