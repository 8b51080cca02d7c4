// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PASSES_HPP
#define TEGULA_PERF_PASSES_HPP

#include <algorithm>

#include "Tegula_PerfMatrix.hpp"

/// The passes over memory that a code around the gemm of a BLAS has to make, since nothing is fused there. Their labels
/// begin with "peer::".

namespace Tegula::Perf {

/// C(i, j) = act(C(i, j) + bias(j))
template <class T, class LayoutType, class Activation>
struct BiasActivation {
  MatrixView<T, LayoutType> C;
  VectorView<const T> bias;
  Activation activation;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    using accumulator = accumulator_t<T>;
    C(i, j) = static_cast<T>(activation(static_cast<accumulator>(C(i, j)) + static_cast<accumulator>(bias(j))));
  }
};

/// dZ(i, j) = dC(i, j) act'(saved(i, j))
template <class T, class LayoutType, class Activation>
struct Derivative {
  MatrixView<T, LayoutType> dZ, dC, saved;
  Activation activation;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    using accumulator = accumulator_t<T>;
    dZ(i, j)          = static_cast<T>(static_cast<accumulator>(dC(i, j)) *
                              activation.derivative(static_cast<accumulator>(saved(i, j))));
  }
};

/// Walks the elements in the order of memory: on a host a contiguous line for each work item, so that the loop along it
/// vectorises; on a device an element for each, so that neighbours touch neighbours.
template <class LayoutType, class ElementFunctor>
struct ElementWalk {
  ElementFunctor element;
  std::int64_t line_length;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if constexpr (runs_on_host) {
      for (std::int64_t offset = 0; offset < line_length; ++offset) visit(item, offset);
    } else {
      const std::int64_t line = quotient(item, line_length);
      visit(line, item - line * line_length);
    }
  }

  KOKKOS_FUNCTION void visit(std::int64_t line, std::int64_t offset) const {
    if constexpr (std::is_same_v<LayoutType, Kokkos::LayoutRight>) {
      element(line, offset);
    } else {
      element(offset, line);
    }
  }
};

template <class LayoutType, class ElementFunctor>
void for_each_element(const char* label, const ExecutionSpace& exec, std::int64_t rows, std::int64_t columns,
                      const ElementFunctor& element) {
  constexpr bool by_rows    = std::is_same_v<LayoutType, Kokkos::LayoutRight>;
  const std::int64_t lines  = by_rows ? rows : columns;
  const std::int64_t length = by_rows ? columns : rows;
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           exec, 0, runs_on_host ? lines : lines * length),
                       ElementWalk<LayoutType, ElementFunctor>{element, length});
}

/// How the columns of a matrix are summed: a team takes a block of columns, on a device a part of the rows of it, and
/// its threads share out the rows.
template <class T>
struct ColumnSumsPlan {
  static constexpr int columns = runs_on_host ? 64 : 32;
  static constexpr int lanes   = runs_on_host ? 1 : 8;  // threads that share a column
  static constexpr int threads = runs_on_host ? 1 : columns * lanes;

  using accumulator = accumulator_t<T>;
  using Partial     = Kokkos::View<accumulator**, Kokkos::LayoutRight, ExecutionSpace>;
  using Ended       = Kokkos::View<int*, ExecutionSpace>;

  int blocks, parts;
  Partial partial;  // sums of the parts, if there are several
  Ended ended;      // teams of each block

  ColumnSumsPlan(std::int64_t m, std::int64_t n)
      : blocks(static_cast<int>(ceil_div(n, columns))), parts(parts_of(m, blocks)) {
    if (parts == 1) return;
    partial = Partial("peer::partial_sums", static_cast<std::size_t>(parts), static_cast<std::size_t>(n));
    ended   = Ended("peer::ended", static_cast<std::size_t>(blocks));
  }

 private:
  // About as many teams as a GPU runs at once, each of some rows a thread.
  static int parts_of(std::int64_t m, int blocks) {
    if (runs_on_host) return 1;
    constexpr std::int64_t teams = 512, rows = lanes * 32;
    return static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(teams / blocks, m / rows)));
  }
};

/// sums(j) = sum of column j. Of a block's teams the one that ends last adds up what the others have left.
template <class T, class LayoutType>
struct ColumnSums {
  using Plan                   = ColumnSumsPlan<T>;
  static constexpr int columns = Plan::columns, lanes = Plan::lanes, threads = Plan::threads;

  using accumulator = typename Plan::accumulator;
  using Policy      = Kokkos::TeamPolicy<ExecutionSpace>;
  using Member      = typename Policy::member_type;
  using Scratch =
      Kokkos::View<accumulator*, ExecutionSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Plan plan;
  MatrixView<T, LayoutType> values;
  VectorView<T> sums;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int block = team.league_rank() % plan.blocks, part = team.league_rank() / plan.blocks;
    if constexpr (runs_on_host) {
      sum_block(static_cast<std::int64_t>(block) * columns);
    } else {
      const std::int64_t column = static_cast<std::int64_t>(block) * columns + team.team_rank() % columns;
      const std::int64_t m = values.extent_int(0), length = ceil_div(m, plan.parts);
      const std::int64_t first = part * length, end = first + length < m ? first + length : m;
      const accumulator sum = team_sum(team, column, first, end, values);
      const bool is_mine    = team.team_rank() < columns && column < values.extent_int(1);
      if (plan.parts == 1) {
        if (is_mine) sums(column) = static_cast<T>(sum);
        return;
      }
      if (is_mine) plan.partial(part, column) = sum;
      if (!is_last(team, block)) return;
      const accumulator total = team_sum(team, column, 0, plan.parts, plan.partial);
      if (is_mine) sums(column) = static_cast<T>(total);
    }
  }

  // The sum of these rows of a column, in the first thread that has the column.
  template <class View>
  KOKKOS_FUNCTION accumulator team_sum(const Member& team, std::int64_t column, std::int64_t first, std::int64_t end,
                                       const View& view) const {
    const Scratch shared(team.team_scratch(0), threads);
    team.team_barrier();
    shared(team.team_rank()) = column < values.extent_int(1)
                                   ? lane_sum(column, first + team.team_rank() / columns, end, view)
                                   : accumulator(0);
    team.team_barrier();
    accumulator sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum += shared(lane * columns + team.team_rank() % columns);
    return sum;
  }

  // Several rows are on their way before the first is added.
  template <class View>
  KOKKOS_FUNCTION static accumulator lane_sum(std::int64_t column, std::int64_t i, std::int64_t end, const View& view) {
    constexpr int batch = 8;
    accumulator sum     = 0;
    for (; i + (batch - 1) * lanes < end; i += batch * lanes) {
      accumulator loaded[batch];
      for (int b = 0; b < batch; ++b) loaded[b] = static_cast<accumulator>(view(i + b * lanes, column));
      for (const accumulator value : loaded) sum += value;
    }
    for (; i < end; i += lanes) sum += static_cast<accumulator>(view(i, column));
    return sum;
  }

  KOKKOS_FUNCTION bool is_last(const Member& team, int block) const {
    Kokkos::memory_fence();
    team.team_barrier();
    int before = 0;
    if (team.team_rank() == 0) before = Kokkos::atomic_fetch_add(&plan.ended(block), 1);
    team.team_broadcast(before, 0);
    if (before + 1 < plan.parts) return false;
    if (team.team_rank() == 0) plan.ended(block) = 0;  // for the next time
    Kokkos::memory_fence();
    return true;
  }

  KOKKOS_FUNCTION void sum_block(std::int64_t first) const {
    const std::int64_t left    = values.extent_int(1) - first;
    const int width            = left < columns ? static_cast<int>(left) : columns;
    accumulator block[columns] = {};
    for (std::int64_t i = 0; i < values.extent_int(0); ++i)
      for (int j = 0; j < width; ++j) block[j] += static_cast<accumulator>(values(i, first + j));
    for (int j = 0; j < width; ++j) sums(first + j) = static_cast<T>(block[j]);
  }
};

template <class T, class LayoutType>
void sum_columns(const ExecutionSpace& exec, const ColumnSumsPlan<T>& plan, const MatrixView<T, LayoutType>& values,
                 const VectorView<T>& sums) {
  using Sums  = ColumnSums<T, LayoutType>;
  auto policy = typename Sums::Policy(exec, plan.blocks * plan.parts, Sums::threads);
  if constexpr (!runs_on_host) policy.set_scratch_size(0, Kokkos::PerTeam(Sums::Scratch::shmem_size(Sums::threads)));
  Kokkos::parallel_for("peer::column_sums", policy, Sums{plan, values, sums});
}

}  // namespace Tegula::Perf

#endif
