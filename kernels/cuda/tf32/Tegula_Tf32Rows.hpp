// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_ROWS_HPP
#define TEGULA_TF32_ROWS_HPP

#include <cstdint>

#include "Tegula_TileOrder.hpp"

namespace Tegula::Impl {

/// The place, in bytes, of a line's element of a step in a left tile with contiguous lines: boxes of 32 lines x 32
/// steps, a row of 128 bytes for each step, with the 128-byte swizzle.
TEGULA_HOST_DEVICE constexpr std::uint32_t tf32_left_place(int line, int step) {
  return static_cast<std::uint32_t>(line / 32 * 4096 + step * 128 + ((line % 32 / 4 ^ step % 8) * 4 + line % 4) * 4);
}

}  // namespace Tegula::Impl

#endif
