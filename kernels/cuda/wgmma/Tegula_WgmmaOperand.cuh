// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_OPERAND_CUH
#define TEGULA_WGMMA_OPERAND_CUH

#include <algorithm>

#include "../Tegula_TensorMap.hpp"
#include "Tegula_WgmmaArguments.cuh"

namespace Tegula::Impl {

/// The map of an operand for tiles of `lines` lines, and how it is fetched: floats are rounded to TF32. With contiguous
/// lines a box is as wide as the swizzle, and a tile takes several. With contiguous depth it has no more lines than the
/// operand, or nearly: a box that lies outside in part takes longer than a smaller one. The lines of the tile that
/// nobody fetches are those of results that nobody stores.
template <class Bits>
WgmmaFetch map_operand(CUtensorMap& map, const MatrixRef<const Bits>& operand, int lines, const Plan& plan) {
  constexpr int line_bytes = 128, swizzle_lines = 8, width = line_bytes / sizeof(Bits);
  constexpr TmaElement element = sizeof(Bits) == 4 ? TmaElement::tf32 : TmaElement::bits_16;
  const TmaMatrix matrix       = *tma_matrix(operand);
  if (matrix.major == Major::lines) {
    encode_tensor_map(map, matrix, width, width, plan, element);
    return {Major::lines, lines * line_bytes};
  }
  const auto there    = static_cast<int>(std::min<std::int64_t>(lines, operand.rows));
  const int box_lines = static_cast<int>(ceil_div(there, swizzle_lines)) * swizzle_lines;
  encode_tensor_map(map, matrix, width, box_lines, plan, element);
  return {Major::depth, box_lines * line_bytes};
}

}  // namespace Tegula::Impl

#endif
