// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_PLAN_HPP
#define TEGULA_GEMV_PLAN_HPP

#include "../Tegula_CudaMachine.hpp"
#include "../ptx/Tegula_Major.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// Which products the gemv family takes, and how it cuts them, for float and double. The contiguous direction of the
/// long operand decides.

namespace Tegula::Impl {

/// Whether the short operand has few lines, and options allow the tile.
template <class T>
bool is_gemv(const GemmShape& shape, Major major, const CudaMachine& machine, const PlanOptions& options);

/// Whether the family is the fastest for such a product.
template <class T>
bool is_best_gemv(const GemmShape& shape, Major major);

/// Chooses the split-k of a plan.
template <class T>
void plan_gemv_product(Plan& plan, Major major, const CudaMachine& machine, const PlanOptions& options,
                       const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
