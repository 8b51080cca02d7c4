// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SUM_COLUMNS_HPP
#define TEGULA_SUM_COLUMNS_HPP

#include <cstdint>

#include "Tegula_DeviceMacros.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_KokkosCompat.hpp"
#include "Tegula_PlanSumsBelow.hpp"
#include "Tegula_StepObserver.hpp"

/// The sums of the columns of dZ of the layer below, behind the product that stored it: of kernels of any space, where
/// a team has a tile of dZ, and nobody a column.

namespace Tegula::Impl {

/// A strip of columns of one part of the rows for each index. Sums has
///   sum(first, last, j, count, totals)  the sums of rows [first, last) of columns from j on
///   store(j, count, totals)             the sums of all rows, where they belong
template <class T, int Columns, class Sums>
struct SumColumns {
  Sums sums;
  GradientPlan plan;
  std::int64_t m, n;
  T* parts;  // parts x n; null: there is one

  TEGULA_CALLS_ANY_FUNCTION
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::int64_t part = index / plan.strips, j = (index - part * plan.strips) * Columns;
    const std::int64_t first = part * plan.part_rows, last = first + plan.part_rows < m ? first + plan.part_rows : m;
    const int count   = n - j < Columns ? static_cast<int>(n - j) : Columns;
    T totals[Columns] = {};
    sums.sum(first, last, j, count, totals);
    if (parts == nullptr) return sums.store(j, count, totals);
    for (int c = 0; c < count; ++c) parts[part * n + j + c] = totals[c];
  }
};

/// Adds the parts of a strip for each index, always in the same order.
template <class T, int Columns, class Sums>
struct AddPartsOfSums {
  SumColumns<T, Columns, Sums> of;

  TEGULA_CALLS_ANY_FUNCTION
  KOKKOS_FUNCTION void operator()(std::int64_t strip) const {
    const std::int64_t j = strip * Columns;
    const int count      = of.n - j < Columns ? static_cast<int>(of.n - j) : Columns;
    T totals[Columns]    = {};
    for (std::int64_t part = 0; part < of.plan.parts; ++part)
      for (int c = 0; c < count; ++c) totals[c] += of.parts[part * of.n + j + c];
    of.sums.store(j, count, totals);
  }
};

/// Queues the kernels.
template <class T, int Columns, class ExecutionSpace, class Sums>
void launch_sums_below(const ExecutionSpace& exec, const Call& call, const Plan& plan, char* workspace,
                       const Sums& sums) {
  using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  if (plan.below.teams() == 0) return;
  T* const parts = plan.below.sums_bytes > 0 ? reinterpret_cast<T*>(workspace + plan.below_workspace()) : nullptr;
  const SumColumns<T, Columns, Sums> sum{sums, plan.below, call.dA.rows, call.dA.columns, parts};
  const auto launch = [&](const char* step, std::int64_t indices, const auto& kernel) {
    const KernelLabel label = KernelLabel(plan) + step;
    launch_observed(label, [&] {
      if constexpr (is_done_at_return<ExecutionSpace>) {
        // To launch it would take as long as a small product.
        if (indices == 1 && !KernelLabel::is_heard()) return kernel(0);
      }
      Kokkos::parallel_for(label.if_heard(), policy(exec, 0, indices), kernel);
    });
  };
  launch(below_step, plan.below.teams(), sum);
  if (parts != nullptr) launch(dbias_below_step, plan.below.strips, AddPartsOfSums<T, Columns, Sums>{sum});
}

}  // namespace Tegula::Impl

#endif
