// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_PLAN_HPP
#define TEGULA_SKINNY_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "Tegula_SkinnyArguments.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// Which products are for the skinny family, and how it cuts them. All of it for float and double.

namespace Tegula::Impl {

/// Whether the short operand fits a tile that options allow, whole.
template <class T>
bool is_skinny(const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options);

/// Whether the family is the fastest for a product whose long operand is copied in this way, and whose result is whole
/// vectors or not.
template <class T>
bool is_best_skinny(const GemmShape& shape, StreamBy by, bool stores_vectors);

template <class T>
bool is_best_skinny(const ProductCall<T>& any_call, const GemmShape& any_shape) {
  const auto [call, shape] = with_long_rows(any_call, any_shape);
  return is_best_skinny<T>(shape, stream_by(call.left), stores_vectors(vector_result<T>(call, shape, nullptr)));
}

/// Chooses the tile of a plan.
template <class T>
void plan_skinny_product(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                         const ArgumentList& arguments);

/// The long side of a product is its first or its second, and so is that of its tiles.
inline TileShape with_long_side(const GemmShape& shape, const TileShape& tile) {
  return shape.m >= shape.n ? tile : tile.transposed();
}

}  // namespace Tegula::Impl

#endif
