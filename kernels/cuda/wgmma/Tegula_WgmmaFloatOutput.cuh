// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_FLOAT_OUTPUT_CUH
#define TEGULA_WGMMA_FLOAT_OUTPUT_CUH

#include "../Tegula_TensorMap.hpp"
#include "../Tegula_VectorResult.hpp"
#include "../ptx/Tegula_Major.hpp"
#include "Tegula_WgmmaFloatPiece.hpp"

namespace Tegula::Impl {

/// What becomes of sums that leave through pieces (WgmmaFloatEpilogue).
struct WgmmaFloatOutput {
  CUtensorMap C;
  VectorResult<float> result;
  Major left;       // of the left operand, which says what rows threads have
  bool by_columns;  // the rows of the result are columns of the kernel's tiles
  bool by_tma;      // TMA stores the result; the epilogue is alpha sum + bias, with or without relu
};

/// Makes the tensor map of a result, and returns true, if TMA can store the result. TMA stores 16 bytes at a time, even
/// past the end of a run.
template <class Piece>
bool map_pieces(CUtensorMap& map, const VectorResult<float>& result, const Plan& plan) {
  if (!result.is_plain() || result.slice > 0 || !result.C.by_vectors || result.n % 4 != 0) return false;
  const auto matrix = tma_matrix(result.C.data, result.m, result.n, result.C.row_stride, 1, sizeof(float));
  if (!matrix) return false;
  encode_tensor_map(map, *matrix, Piece::box_fast, Piece::box_slow, plan, TmaElement::f32);
  return true;
}

/// Of a call, or slices of its sums if its product is cut along k. `left` is that of the kernel's left operand, which
/// is the call's right one if it computes the transpose.
inline WgmmaFloatOutput float_output(const ProductCall<float>& call, const ProductPlan& product, float* partial_sums,
                                     Major left, bool is_transposed, const Plan& plan) {
  WgmmaFloatOutput output{};
  output.result     = vector_result(call, product.shape, product.split_k > 1 ? partial_sums : nullptr);
  output.left       = left;
  output.by_columns = output.result.is_transposed != is_transposed;
  output.by_tma     = output.by_columns ? map_pieces<WgmmaPieceByColumns>(output.C, output.result, plan)
                                        : map_pieces<WgmmaPieceByRows>(output.C, output.result, plan);
  return output;
}

}  // namespace Tegula::Impl

#endif
