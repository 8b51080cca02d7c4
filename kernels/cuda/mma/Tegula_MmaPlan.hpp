// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_PLAN_HPP
#define TEGULA_MMA_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "Tegula_MmaConfig.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the mma family cuts products into tiles.

namespace Tegula::Impl {

/// Chooses the tile of a plan and the split-k of its products, for 16-bit elements.
void plan_mma_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                       const ArgumentList& arguments);
/// The same for double.
void plan_mma_double_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                              const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
