// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_CALL_HPP
#define TEGULA_PANEL_CALL_HPP

#include <optional>
#include <utility>

#include "../Tegula_TmaMatrix.hpp"
#include "../Tegula_VectorResult.hpp"
#include "Tegula_PanelConfig.hpp"

/// Which products the panel family takes.

namespace Tegula::Impl {

/// The call with a row-major result, C^T = right left^T if need be, and its shape.
inline std::pair<ProductCall<double>, GemmShape> panel_call(const ProductCall<double>& call, const GemmShape& shape) {
  if (!call.C.is_column_major()) return {call, shape};
  return {transposed(call), shape.transposed()};
}

/// The tile in rows and columns of the call.
inline TileShape panel_tile(const ProductCall<double>& call) {
  constexpr TileShape tile = PanelConfig::shape();
  return call.C.is_column_major() ? tile.transposed() : tile;
}

/// The matrix that TMA stores, in whole runs of 16 bytes; nothing if TMA cannot.
inline std::optional<TmaMatrix> panel_result(const VectorResult<double>& result) {
  if (!result.C.by_vectors || result.n % 2 != 0) return std::nullopt;
  return tma_matrix(result.C.data, result.m, result.n, result.C.row_stride, 1, sizeof(double));
}

/// Whether the family can compute a product.
inline bool is_panel(const ProductCall<double>& any_call, const GemmShape& any_shape) {
  const auto [call, shape] = panel_call(any_call, any_shape);
  if (shape.k < 1 || shape.k > PanelConfig::most_depth) return false;
  const VectorResult<double> result = vector_result<double>(call, shape, nullptr);
  return result.is_simple() && panel_result(result) && tma_matrix(call.left) && tma_matrix(call.right);
}

}  // namespace Tegula::Impl

#endif
