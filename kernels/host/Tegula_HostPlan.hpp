// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PLAN_HPP
#define TEGULA_HOST_PLAN_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "Tegula_HostCycles.hpp"
#include "tuning/Tegula_TunedWay.hpp"

/// How the host family cuts a call into tiles.

namespace Tegula::Impl {

struct GradientTraits;

/// Cuts the products of a plan, chooses how operands are read, and how many threads make a team. Those of gemm_backward
/// may be computed together, unless `gradient` is null.
void plan_host_products(Plan& plan, const std::array<ProductTraits, 2>& traits, const HostMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments,
                        const GradientTraits* gradient = nullptr);

/// The plan of one way, of whose products nothing is cut yet; nothing if it is not possible. `gradient` is null but for
/// gemm_backward.
std::optional<Plan> plan_of_way(const Plan& uncut, const std::array<ProductTraits, 2>& traits,
                                const HostMachine& machine, const TunedWay& way, const GradientTraits* gradient);

/// The way of a plan all of whose products are cut one by one.
TunedWay way_of(const Plan& plan);

/// Every way that the planner considers for one product of a plan, and every way to read its operands.
std::vector<ProductWay> all_product_ways(const Plan& uncut, std::size_t product, const ProductTraits& traits,
                                         const HostMachine& machine);

/// Whether two plans of one call run the same kernels.
bool are_alike(const Plan& a, const Plan& b);

/// Every way to compute the one product of a plan that its planner considers, and every way to read its operands.
std::vector<Plan> host_ways(const Plan& uncut, const ProductTraits& traits, const HostMachine& machine);

}  // namespace Tegula::Impl

#endif
