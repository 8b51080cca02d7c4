// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_PLAN_HPP
#define TEGULA_MMA_PLAN_HPP

#include "../Tegula_TensorMachine.hpp"
#include "Tegula_MmaConfig.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the mma family cuts a product into tiles.

namespace Tegula::Impl {

/// Chooses the tile and the split-k of a plan with one product.
void plan_mma_product(Plan& plan, const TensorMachine& machine, const PlanOptions& options,
                      const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
