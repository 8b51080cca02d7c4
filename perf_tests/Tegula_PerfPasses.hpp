// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PASSES_HPP
#define TEGULA_PERF_PASSES_HPP

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
      visit(item / line_length, item % line_length);
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

/// sums(j) = sum of column j. A team takes a block of columns; its threads share out the rows.
template <class T, class LayoutType>
struct ColumnSums {
  static constexpr int columns = runs_on_host ? 64 : 32;
  static constexpr int lanes   = runs_on_host ? 1 : 8;  // threads that share a column
  static constexpr int threads = runs_on_host ? 1 : columns * lanes;

  using accumulator = accumulator_t<T>;
  using Policy      = Kokkos::TeamPolicy<ExecutionSpace>;
  using Scratch =
      Kokkos::View<accumulator*, ExecutionSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  MatrixView<T, LayoutType> values;
  VectorView<T> sums;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const std::int64_t first = static_cast<std::int64_t>(team.league_rank()) * columns;
    if constexpr (runs_on_host) {
      sum_block(first);
    } else {
      const Scratch partial(team.team_scratch(0), threads);
      const int column          = team.team_rank() % columns;
      partial(team.team_rank()) = sum_lane(first + column, team.team_rank() / columns);
      team.team_barrier();
      if (team.team_rank() < columns && first + column < values.extent_int(1)) {
        accumulator sum = 0;
        for (int lane = 0; lane < lanes; ++lane) sum += partial(lane * columns + column);
        sums(first + column) = static_cast<T>(sum);
      }
    }
  }

  KOKKOS_FUNCTION accumulator sum_lane(std::int64_t column, int lane) const {
    accumulator sum = 0;
    if (column >= values.extent_int(1)) return sum;
    for (std::int64_t i = lane; i < values.extent_int(0); i += lanes)
      sum += static_cast<accumulator>(values(i, column));
    return sum;
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
void sum_columns(const ExecutionSpace& exec, const MatrixView<T, LayoutType>& values, const VectorView<T>& sums) {
  using Sums      = ColumnSums<T, LayoutType>;
  const int teams = (values.extent_int(1) + Sums::columns - 1) / Sums::columns;
  auto policy     = typename Sums::Policy(exec, teams, Sums::threads);
  if constexpr (!runs_on_host) policy.set_scratch_size(0, Kokkos::PerTeam(Sums::Scratch::shmem_size(Sums::threads)));
  Kokkos::parallel_for("peer::column_sums", policy, Sums{values, sums});
}

}  // namespace Tegula::Perf

#endif
