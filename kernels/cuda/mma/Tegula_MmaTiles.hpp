// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_TILES_HPP
#define TEGULA_MMA_TILES_HPP

#include "../Tegula_CudaOutput.hpp"
#include "../Tegula_CudaTiles.hpp"
#include "../async/Tegula_AsyncOperand.hpp"

/// Where the tiles of the mma family may begin.

namespace Tegula::Impl {

/// Anywhere, where nothing is added to what C holds, and copies of 16 bytes and stores in runs stay aligned.
inline MovableTiles movable_mma_tiles(const AsyncOperand& left, const AsyncOperand& right, const GemmShape& shape,
                                      const CudaOutput& C, const CudaOutput& Z, bool adds) {
  constexpr std::int64_t run = 8, word = 2;
  const auto stored   = [&](StoreBy by) { return C.by == by || Z.by == by; };
  const auto may_move = [&](const AsyncOperand& operand, std::int64_t lines, bool stores_runs) {
    const bool along_lines  = operand.major == Major::lines;
    const bool copies_words = along_lines && operand.whole_words, copies_runs = along_lines && operand.whole_chunks;
    return lines % (copies_runs || stores_runs ? run : copies_words ? word : 1) == 0;
  };
  if (adds) return {};
  return {may_move(left, shape.m, stored(StoreBy::columns)),
          may_move(right, shape.n, stored(StoreBy::rows) || stored(StoreBy::pairs))};
}

}  // namespace Tegula::Impl

#endif
