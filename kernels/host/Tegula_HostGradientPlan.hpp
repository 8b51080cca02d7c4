// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_GRADIENT_PLAN_HPP
#define TEGULA_HOST_GRADIENT_PLAN_HPP

#include <array>
#include <cstdint>
#include <span>

#include "Tegula_HostWays.hpp"

/// The gradients of a call computed together, a block of dZ after the other (Tegula_HostGradients.hpp).

namespace Tegula::Impl {

/// How dC lies, and what is done with it.
struct GradientTraits {
  std::int64_t row_stride, column_stride;
  bool in_place;     // dC is dZ, and microkernels can read its elements as they are
  bool reads_saved;  // dZ is formed of it, too
  double slope;      // cycles of the activation's derivative, for each element
  bool sums_columns;
};

/// About so many bytes blocks take that the planner considers.
std::span<const std::int64_t> block_bytes_considered();

/// Changes a plan whose products are cut one by one so that they are computed together, if that is predicted to take
/// less time.
void plan_gradient_blocks(Plan& plan, const std::array<ProductTraits, 2>& traits, const GradientTraits& gradient,
                          const HostMachine& machine);

/// A plan of that kind whose blocks take about so many bytes, though it may be slow. The products of the plan that is
/// given are wanted, and not cut.
Plan gradient_block_plan(const Plan& uncut, const std::array<ProductTraits, 2>& traits, const GradientTraits& gradient,
                         const HostMachine& machine, std::int64_t bytes);

}  // namespace Tegula::Impl

#endif
