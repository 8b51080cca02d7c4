// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_PLAN_HPP
#define TEGULA_WGMMA_PLAN_HPP

#include "../Tegula_TensorMachine.hpp"
#include "Tegula_WgmmaConfig.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the wgmma family cuts a product into tiles.

namespace Tegula::Impl {

/// Chooses the tile and the split-k of a plan with one product, by a model of what they cost.
void plan_wgmma_product(Plan& plan, const TensorMachine& machine, const PlanOptions& options,
                        const ArgumentList& arguments);

/// Scratch of the smallest configuration.
std::size_t least_wgmma_scratch();

}  // namespace Tegula::Impl

#endif
