// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_MODEL_HPP
#define TEGULA_DIRECT_MODEL_HPP

#include <array>

/// What the planner knows of the direct family, fitted to times measured on an H200.

namespace Tegula::Impl {

struct DirectModel {
  double start;   // seconds, of a team before its first sum and behind its last
  double memory;  // of the bandwidth
  // Cycles: of a lane that waits for a batch of chunks; of a multiprocessor for a warp's read in runs along the depth,
  // across lines, and one by one; for a warp's multiply-adds; for an element of the result; of a team that adds up
  // what other teams of its cluster have.
  double wait;
  std::array<double, 3> read;
  double multiply, store, cluster;
};

/// For elements whose bits are of this type.
template <class Bits>
inline constexpr DirectModel direct_model{};
template <>
inline constexpr DirectModel direct_model<std::uint16_t>{
    .start = 1.2e-06, .memory = 0.8, .wait = 1200, .read = {8, 8, 2}, .multiply = 0.4, .store = 0.2, .cluster = 800};
template <>
inline constexpr DirectModel direct_model<float>{
    .start = 1.2e-06, .memory = 0.8, .wait = 1200, .read = {8, 8, 2}, .multiply = 0.3, .store = 0.2, .cluster = 800};
template <>
inline constexpr DirectModel direct_model<double>{
    .start = 1.2e-06, .memory = 0.8, .wait = 1200, .read = {8, 8, 3}, .multiply = 0.6, .store = 0.3, .cluster = 800};

}  // namespace Tegula::Impl

#endif
