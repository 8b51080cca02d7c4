// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_PLAN_HPP
#define TEGULA_PANEL_PLAN_HPP

#include <optional>
#include <utility>

#include "../Tegula_CudaMachine.hpp"
#include "../Tegula_TmaMatrix.hpp"
#include "../Tegula_VectorResult.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// Which products the panel family takes, and how it cuts them.

namespace Tegula::Impl {

/// The call with a row-major result, C^T = right left^T if need be, and its shape.
std::pair<ProductCall<double>, GemmShape> panel_call(const ProductCall<double>& call, const GemmShape& shape);

/// The matrix that TMA stores, in whole runs of 16 bytes; nothing if TMA cannot.
std::optional<TmaMatrix> panel_result(const VectorResult<double>& result);

/// Whether the family can compute a product as options ask.
bool is_panel(const ProductCall<double>& call, const GemmShape& shape, const PlanOptions& options);

/// Whether it is the fastest family for the product.
bool is_best_panel(const GemmShape& shape);

/// Cuts the product of a plan.
void plan_panel_product(Plan& plan, const CudaMachine& machine, const ProductCall<double>& call,
                        const PlanOptions& options, const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
