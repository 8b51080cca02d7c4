// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_PLAN_HPP
#define TEGULA_SIMT_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the simt family cuts products into tiles.

namespace Tegula::Impl {

/// Chooses the tile of a plan and the split-k of its products.
void plan_simt_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                        const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
