// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_SUMS_BELOW_HPP
#define TEGULA_HOST_SUMS_BELOW_HPP

#include "Tegula_HostGradientBlock.hpp"
#include "Tegula_HostProducts.hpp"
#include "Tegula_HostStore.hpp"
#include "reduce/Tegula_SumColumns.hpp"

namespace Tegula::Impl {

/// The sums of the columns of dZ of the layer below, on hosts.
template <class T>
struct HostSumsBelow {
  static constexpr int columns = summed_at_once<true>;

  Instructions instructions;
  HostMatrix<T> dZ;
  HostResult<T> dbias;  // its row_sums

  HostSumsBelow(const Call& call, Instructions instructions_)
      : instructions(instructions_), dZ(host_matrix<T>(call.dA, call, instructions)), dbias{{}, T(1), T(0)} {
    dbias.row_sums      = host_matrix<T>(call.below->dbias, call, instructions);
    dbias.adds_row_sums = call.below->update_dbias == Update::accumulate;
  }

  void sum(std::int64_t first, std::int64_t last, std::int64_t j, int count, T* totals) const {
    const MatrixRef<T> m = dZ.in_place();
    if (first == last) return;
    if (m.data != nullptr && m.columns_are_contiguous())
      return sum_over_lines(instructions, &m(first, j), m.row_stride, last - first, count, false, totals);
    if (m.data != nullptr && m.rows_are_contiguous())
      return sum_of_lines(instructions, &m(first, j), m.column_stride, count, last - first, false, totals);
    alignas(64) T row[columns];
    for (std::int64_t i = first; i < last; ++i) {
      read_run(dZ, i, j, Along::row, count, row);
      for (int c = 0; c < count; ++c) totals[c] += row[c];
    }
  }
  void store(std::int64_t j, int count, T* totals) const { store_row_sums(dbias, j, count, totals); }
};

/// Queues the kernels that sum them, as planned.
template <class ExecutionSpace, class T>
void launch_host_sums_below(const ExecutionSpace& exec, const Call& call, const Plan& plan, char* workspace) {
  if (plan.below.teams() == 0) return;
  launch_sums_below<T, HostSumsBelow<T>::columns>(exec, call, plan, workspace,
                                                  HostSumsBelow<T>(call, host_instructions()));
}

}  // namespace Tegula::Impl

#endif
