// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_PLAN_HPP
#define TEGULA_TF32_PLAN_HPP

#include <array>

#include "../Tegula_CudaMachine.hpp"
#include "Tegula_Tf32Config.hpp"
#include "Tegula_Tf32Operands.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the tf32 family cuts products into tiles.

namespace Tegula::Impl {

/// Chooses the tile and the split-k of each product of a plan, by a cost model, and lists copies of operands. `calls`
/// tells how operands lie. Operands may require a transposed tile, also of one that options ask for.
void plan_tf32_products(Plan& plan, const ProductCalls<float>& calls, const CudaMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments);

/// Whether tensor cores are worth it for a product, whose operands must be copied or not.
bool is_worth_tf32(const GemmShape& shape, bool copies);

/// Scratch of the largest configuration.
std::size_t most_tf32_scratch();

}  // namespace Tegula::Impl

#endif
