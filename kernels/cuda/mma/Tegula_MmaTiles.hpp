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
  constexpr std::int64_t run = 8;
  const auto stored          = [&](StoreBy by) { return C.by == by || Z.by == by; };
  const auto may_move        = [&](const AsyncOperand& operand, std::int64_t lines, bool stores_runs) {
    const bool copies_runs = operand.whole_chunks && operand.major == Major::lines;
    return lines % run == 0 || !(copies_runs || stores_runs);
  };
  if (adds) return {};
  return {may_move(left, shape.m, stored(StoreBy::columns)),
          may_move(right, shape.n, stored(StoreBy::rows) || stored(StoreBy::pairs))};
}

}  // namespace Tegula::Impl

#endif
