// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_PLAN_HPP
#define TEGULA_WGMMA_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "Tegula_WgmmaConfig.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the wgmma family cuts products into tiles.

namespace Tegula::Impl {

/// Chooses the tile of a plan and the split-k of each of its products, by a model of what they cost.
void plan_wgmma_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                         const ArgumentList& arguments);

/// Scratch of the smallest configuration.
std::size_t least_wgmma_scratch();

}  // namespace Tegula::Impl

#endif
