// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PLAN_HPP
#define TEGULA_HOST_PLAN_HPP

#include <array>
#include <vector>

#include "Tegula_HostCycles.hpp"

/// How the host family cuts a call into tiles.

namespace Tegula::Impl {

struct GradientTraits;

/// Cuts the products of a plan, chooses how operands are read, and how many threads make a team. Those of gemm_backward
/// may be computed together, unless `gradient` is null.
void plan_host_products(Plan& plan, const std::array<ProductTraits, 2>& traits, const HostMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments,
                        const GradientTraits* gradient = nullptr);

/// Every way to compute the one product of a plan that its planner considers, and every way to read its operands.
std::vector<Plan> host_ways(const Plan& uncut, const ProductTraits& traits, const HostMachine& machine);

}  // namespace Tegula::Impl

#endif
