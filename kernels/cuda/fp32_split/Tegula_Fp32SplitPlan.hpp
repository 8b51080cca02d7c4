// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_PLAN_HPP
#define TEGULA_FP32_SPLIT_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "Tegula_Fp32SplitConfig.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the fp32_split family cuts products into tiles.

namespace Tegula::Impl {

/// Chooses the tile of each product of a plan, and the largest team. The inner dimension is cut only if options ask.
void plan_split_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                         const ArgumentList& arguments);

/// Whether it pays to split the operands of a product, in passes over them.
bool is_worth_splitting(const GemmShape& shape);

/// Scratch of the largest configuration.
std::size_t most_split_scratch();

}  // namespace Tegula::Impl

#endif
