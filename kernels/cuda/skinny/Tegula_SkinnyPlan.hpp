// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_PLAN_HPP
#define TEGULA_SKINNY_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "Tegula_SkinnyArguments.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// Which products the skinny family takes, and how it cuts them, for float and double.

namespace Tegula::Impl {

/// Whether options allow a tile that takes the whole short operand.
template <class T>
bool is_skinny(const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options);

/// Whether the family is the fastest for a product. `by` tells how its long operand is copied, `stores_vectors` whether
/// its result is whole vectors.
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

/// A tile with its long side where the product has it: rows or columns.
inline TileShape with_long_side(const GemmShape& shape, const TileShape& tile) {
  return shape.m >= shape.n ? tile : tile.transposed();
}

}  // namespace Tegula::Impl

#endif
