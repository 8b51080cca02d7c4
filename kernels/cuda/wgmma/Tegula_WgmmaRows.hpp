// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_ROWS_HPP
#define TEGULA_WGMMA_ROWS_HPP

#include "../ptx/Tegula_Major.hpp"
#include "Tegula_TileOrder.hpp"

/// Which lines of the left operand a thread of a consumer has sums of, where these are floats that leave through
/// pieces. Tensor cores take rows in any order.

namespace Tegula::Impl {

/// A thread of a warpgroup as wgmma sees it: rows 16 warp + group and 8 below, and every fourth pair of columns, or
/// step, from the quarter on.
struct WgmmaThread {
  int warp, group, quarter;

  TEGULA_HOST_DEVICE constexpr explicit WgmmaThread(int thread)
      : warp(thread / 32), group(thread % 32 / 4), quarter(thread % 4) {}
};

/// The line, of a consumer's 64, of a thread's first (half = 0) or second row. Tensor cores read a left operand with
/// contiguous depth themselves, in their order. One with contiguous lines comes by registers: both lines are
/// neighbours, which one load brings, and the lines of a warp are such that its threads meet in no bank when they load
/// from tf32_left_place().
TEGULA_HOST_DEVICE constexpr int wgmma_line(Major major, const WgmmaThread& thread, int half) {
  const int warp = thread.warp, group = thread.group;
  if (major == Major::depth) return warp * 16 + group + half * 8;
  const int chunk = group / 2 % 2 * 4 + warp % 2 * 2 + group / 4;
  return warp / 2 * 32 + chunk * 4 + group % 2 * 2 + half;
}

}  // namespace Tegula::Impl

#endif
