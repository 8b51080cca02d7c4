// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_PLAN_HPP
#define TEGULA_TALL_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// Which gradients the tall family takes, and how it cuts them, for float and double. The shape is that of C = A B: m
/// is the long side.

namespace Tegula::Impl {

/// Whether options allow a tile that takes all columns, and the rows are more than one team's.
template <class T>
bool is_tall(const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options);

/// Whether the family is the fastest for gradients of such a product with aligned long matrices.
template <class T>
bool is_best_tall(const GemmShape& shape);

/// Cuts the products of a plan.
template <class T>
void plan_tall_products(Plan& plan, const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options,
                        const ArgumentList& arguments);

/// The tile of dB^T. Its inner dimension is that of the rows of dA, and the other way round.
inline TileShape dB_tile(const TileShape& tile) { return {tile.k, tile.n, tile.m}; }

}  // namespace Tegula::Impl

#endif
