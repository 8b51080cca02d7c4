// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_PLAN_HPP
#define TEGULA_TALL_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// Which gradients are for the tall family, and how it cuts them, for float and double. The shape is that of C = A B:
/// m is the long side.

namespace Tegula::Impl {

/// Whether there is a tile, which options allow, and more than one team's rows.
template <class T>
bool is_tall(const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options);

/// Whether the family is the fastest for gradients of such a product, all of whose long matrices lie in runs.
template <class T>
bool is_best_tall(const GemmShape& shape);

/// Cuts the products of a plan.
template <class T>
void plan_tall_products(Plan& plan, const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options,
                        const ArgumentList& arguments);

/// The tile of dB^T, whose inner dimension is that of the rows of dA, and the other way round.
inline TileShape dB_tile(const TileShape& tile) { return {tile.k, tile.n, tile.m}; }

}  // namespace Tegula::Impl

#endif
