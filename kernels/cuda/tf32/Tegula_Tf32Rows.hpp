// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_ROWS_HPP
#define TEGULA_TF32_ROWS_HPP

#include <cstdint>

#include "../ptx/Tegula_Major.hpp"
#include "Tegula_TileOrder.hpp"

/// Which lines of the left operand a thread of a consumer multiplies. Tensor cores take rows in any order.

namespace Tegula::Impl {

/// A thread of a warpgroup as wgmma sees it: rows 16 warp + group and 8 below, steps quarter and quarter + 4.
struct Tf32Thread {
  int warp, group, quarter;

  TEGULA_HOST_DEVICE constexpr explicit Tf32Thread(int thread)
      : warp(thread / 32), group(thread % 32 / 4), quarter(thread % 4) {}
};

/// The line, of a consumer's 64, of a thread's first (half = 0) or second row. With contiguous lines both are
/// neighbours, which one load brings, and the lines of a warp are such that its threads meet in no bank when they load
/// from tf32_left_place().
TEGULA_HOST_DEVICE constexpr int tf32_line(Major major, const Tf32Thread& thread, int half) {
  const int warp = thread.warp, group = thread.group;
  if (major == Major::depth) return warp * 16 + group + half * 8;
  const int chunk = group / 2 % 2 * 4 + warp % 2 * 2 + group / 4;
  return warp / 2 * 32 + chunk * 4 + group % 2 * 2 + half;
}

/// The place, in bytes, of a line's element of a step in a left tile with contiguous lines: boxes of 32 lines x 32
/// steps, a row of 128 bytes for each step, with the 128-byte swizzle.
TEGULA_HOST_DEVICE constexpr std::uint32_t tf32_left_place(int line, int step) {
  return static_cast<std::uint32_t>(line / 32 * 4096 + step * 128 + ((line % 32 / 4 ^ step % 8) * 4 + line % 4) * 4);
}

}  // namespace Tegula::Impl

#endif
