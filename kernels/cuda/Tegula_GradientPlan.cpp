// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "Tegula_GradientPass.hpp"
#include "Tegula_TmaMatrix.hpp"

namespace Tegula::Impl {

template <class Bits>
GradientPlan plan_gradient_pass(const GradientCall<Bits>& call, bool stores_dZ, bool wants_runs, int multiprocessors) {
  constexpr int run = run_of<Bits>;
  GradientPlan plan;
  const std::int64_t m = call.dC.rows, n = call.dC.columns;
  const bool wants_dbias = call.dbias.data != nullptr;
  plan.stores_dZ         = stores_dZ && (!call.is_identity || (wants_runs && !tma_matrix(call.dC)));
  plan.sums_columns      = wants_dbias;
  if (n == 0 || (m == 0 && !wants_dbias) || (!plan.stores_dZ && !wants_dbias)) return {};
  const bool along_rows    = is_along_rows(call.dC);
  const std::int64_t lanes = ceil_div(along_rows ? n : m, run);
  constexpr int most_lanes = 5;  // log2
  while (plan.shift < most_lanes && (std::int64_t(1) << plan.shift) < lanes) ++plan.shift;
  const int lines = gradient_threads >> plan.shift;
  plan.strips     = ceil_div(n, along_rows ? run << plan.shift : lines);
  // As many teams as run at once, as long as every thread has a few steps: more parts would be more sums to add.
  const std::int64_t enough = gradient_teams * multiprocessors / plan.strips;
  const std::int64_t most   = ceil_div(m, 4 * (along_rows ? lines : run << plan.shift));
  const std::int64_t parts  = std::max<std::int64_t>(1, std::min(enough, most));
  plan.part_rows            = std::max<std::int64_t>(run, ceil_div(ceil_div(m, parts), run) * run);
  plan.parts                = std::max<std::int64_t>(1, ceil_div(m, plan.part_rows));
  plan.dZ_bytes             = plan.stores_dZ ? aligned_copy_bytes(call.dC) : 0;
  plan.sums_bytes = wants_dbias && plan.parts > 1 ? static_cast<std::size_t>(plan.parts * n) * sizeof(sum_t<Bits>) : 0;
  return plan;
}

template GradientPlan plan_gradient_pass(const GradientCall<std::uint16_t>&, bool, bool, int);
template GradientPlan plan_gradient_pass(const GradientCall<float>&, bool, bool, int);
template GradientPlan plan_gradient_pass(const GradientCall<double>&, bool, bool, int);

}  // namespace Tegula::Impl
