// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "Tegula_GradientPass.hpp"
#include "Tegula_TmaMatrix.hpp"

namespace Tegula::Impl {
namespace {

/// Rows of a part, which a team goes down, so many at a step. Teams are as many as run at once, as long as every thread
/// has a few steps: more parts would be more sums to add. With fewer steps they only go where multiprocessors would be
/// idle, as far as their sums are added in passing.
std::int64_t rows_of_part(std::int64_t m, std::int64_t strips, std::int64_t step, int multiprocessors) {
  constexpr std::int64_t few_steps = 4, added_in_passing = 64;
  const std::int64_t at_once = gradient_teams * multiprocessors / strips;
  const std::int64_t idle    = std::min(multiprocessors / strips, added_in_passing);
  const std::int64_t parts =
      std::max({std::int64_t(1), std::min(at_once, ceil_div(m, few_steps * step)), std::min(idle, ceil_div(m, step))});
  return std::max(std::int64_t(1), ceil_div(ceil_div(m, parts), step)) * step;
}

}  // namespace

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
  plan.part_rows  = rows_of_part(m, plan.strips, along_rows ? lines : run << plan.shift, multiprocessors);
  plan.parts      = std::max<std::int64_t>(1, ceil_div(m, plan.part_rows));
  plan.dZ_bytes   = plan.stores_dZ ? aligned_copy_bytes(call.dC) : 0;
  plan.sums_bytes = wants_dbias && plan.parts > 1 ? static_cast<std::size_t>(plan.parts * n) * sizeof(sum_t<Bits>) : 0;
  return plan;
}

template GradientPlan plan_gradient_pass(const GradientCall<std::uint16_t>&, bool, bool, int);
template GradientPlan plan_gradient_pass(const GradientCall<float>&, bool, bool, int);
template GradientPlan plan_gradient_pass(const GradientCall<double>&, bool, bool, int);

}  // namespace Tegula::Impl
