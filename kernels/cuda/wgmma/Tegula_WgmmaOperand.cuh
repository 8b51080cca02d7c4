// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_OPERAND_CUH
#define TEGULA_WGMMA_OPERAND_CUH

#include <algorithm>

#include "../Tegula_TensorMap.hpp"
#include "Tegula_WgmmaArguments.cuh"

namespace Tegula::Impl {

/// The tensor map of an operand for tiles of `lines` lines, and how it is fetched. Floats are rounded to TF32, unless
/// `element` says otherwise. With
/// contiguous lines a box is as wide as the swizzle, and a tile takes several. With contiguous depth a box has no more
/// lines than the operand, or nearly: TMA takes longer for a box that lies outside in part than for a smaller one. The
/// lines of the tile that are not fetched belong to results that are not stored. Where several teams fetch a part each,
/// boxes are as small as that.
template <class Bits>
WgmmaFetch map_operand(CUtensorMap& map, const MatrixRef<const Bits>& operand, int lines, const Plan& plan,
                       int parts = 1, TmaElement element = sizeof(Bits) == 4 ? TmaElement::tf32 : TmaElement::bits_16) {
  constexpr int line_bytes = 128, swizzle_lines = 8, width = line_bytes / sizeof(Bits);
  constexpr int crowded  = width / 2;  // lines, which half of a line of the cache has for a step of depth
  const TmaMatrix matrix = *tma_matrix(operand);
  if (matrix.major == Major::lines) {
    encode_tensor_map(map, matrix, width, width / parts, plan, element);
    return {Major::lines, static_cast<int>(ceil_div(lines, width)) * width * line_bytes, operand.rows <= crowded};
  }
  const auto there    = static_cast<int>(std::min<std::int64_t>(lines / parts, operand.rows));
  const int box_lines = static_cast<int>(ceil_div(there, swizzle_lines)) * swizzle_lines;
  encode_tensor_map(map, matrix, width, box_lines, plan, element);
  return {Major::depth, parts * box_lines * line_bytes};
}

}  // namespace Tegula::Impl

#endif
