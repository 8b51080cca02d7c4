// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_WORD_HPP
#define TEGULA_OUTER_WORD_HPP

#include <cstdint>

#include "Tegula_DeviceMacros.hpp"

/// How a warp stores 64 elements of 16 bits of a row, wherever the row begins.

namespace Tegula::Impl {

/// Whether the pairs of a row are words of memory: for all lanes of a warp, or for none.
TEGULA_HOST_DEVICE inline bool are_words(const std::uint16_t* pair) {
  return reinterpret_cast<std::uintptr_t>(pair) % 4 == 0;
}

/// Stores a pair, of which so many elements are left up to the end of the row.
TEGULA_HOST_DEVICE inline void store_outer_pair(std::uint16_t* to, std::uint32_t pair, std::int32_t left) {
  if (left > 1) {
    *reinterpret_cast<std::uint32_t*>(to) = pair;
  } else if (left > 0) {
    *to = static_cast<std::uint16_t>(pair);
  }
}

/// The same where words lie between the pairs of neighbouring lanes, of which `next` is the one behind. The first
/// element of the warp and the last one remain.
TEGULA_HOST_DEVICE inline void store_outer_odd(std::uint16_t* to, std::uint32_t pair, std::uint32_t next, int lane,
                                               std::int32_t left) {
  if (lane == 0 && left > 0) *to = static_cast<std::uint16_t>(pair);
  const std::int32_t behind = left - 1;
  store_outer_pair(to + 1, pair >> 16 | next << 16, lane == 31 && behind > 1 ? 1 : behind);
}

}  // namespace Tegula::Impl

#endif
