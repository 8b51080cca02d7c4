// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_COLUMN_SUMS_HPP
#define TEGULA_PERF_COLUMN_SUMS_HPP

#include "Tegula_PerfElementPass.hpp"

/// Passes that sum the columns of a matrix, which may be formed in the same pass. They add up in the same order each
/// time.

namespace Tegula::Perf {

/// How the columns of a matrix are summed on a device. A team takes a block of columns and a part of the rows. Its 32
/// lanes lie along a line; its 8 groups take one line after another.
template <class T>
struct ColumnSumsPlan {
  static constexpr int lanes = 32, groups = 8, threads = lanes * groups;

  using accumulator = accumulator_t<T>;
  using Partial     = Kokkos::View<accumulator**, Kokkos::LayoutRight, ExecutionSpace>;
  using Ended       = Kokkos::View<int*, ExecutionSpace>;

  std::int64_t m, n;
  bool by_rows;
  int width;          ///< elements that a thread reads at once: a pack where every line begins with a whole one, or one
  int blocks, parts;  ///< teams along and across the columns
  Partial partial;    ///< sums of the parts, if there are several
  Ended ended;        ///< teams of each block that have ended

  ColumnSumsPlan(std::int64_t rows, std::int64_t columns, Layout layout)
      : m(rows), n(columns), by_rows(layout == Layout::right), width(1), blocks(1), parts(1) {
    if constexpr (!runs_on_host) {
      width  = (by_rows ? n : m) % pack_width<T> == 0 ? pack_width<T> : 1;
      blocks = static_cast<int>(ceil_div(n, by_rows ? lanes * width : groups));
      parts  = parts_of_rows();
    }
    if (parts == 1) return;
    partial = Partial("peer::partial_sums", static_cast<std::size_t>(parts), static_cast<std::size_t>(n));
    ended   = Ended("peer::ended", static_cast<std::size_t>(blocks));
  }

 private:
  // A quarter of the threads that the device runs at once have enough packs in flight to keep the memory busy. More
  // threads leave more parts for one team to add up: slower on an H200.
  int parts_of_rows() const {
    constexpr int packs         = 8;
    const std::int64_t teams    = static_cast<std::int64_t>(ExecutionSpace().concurrency()) / (4 * threads);
    const std::int64_t shortest = packs * (by_rows ? groups : lanes * width);
    return static_cast<int>(std::max<std::int64_t>(1, std::min(teams / blocks, m / shortest)));
  }
};

/// The elements as they lie in memory.
template <class T>
struct StoredElements {
  using accumulator          = accumulator_t<T>;
  static constexpr int batch = 4;  ///< packs in flight in a thread, as fast on an H200 as any

  const T* values;

  template <int Width>
  KOKKOS_FUNCTION Pack<T, Width> load(std::int64_t first) const {
    return load_pack<Width>(values + first);
  }
  template <int Width>
  KOKKOS_FUNCTION void add(const Pack<T, Width>& inputs, std::int64_t, accumulator (&sums)[Width]) const {
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Width; ++i) sums[i] += static_cast<accumulator>(inputs[i]);
  }
  KOKKOS_FUNCTION accumulator element(std::int64_t e) const { return static_cast<accumulator>(values[e]); }
};

/// dZ = dC act'(saved), formed and stored here.
template <class T, class Activation>
struct DerivativeElements {
  using accumulator          = accumulator_t<T>;
  static constexpr int batch = 8;
  template <int Width>
  struct Inputs {
    Pack<T, Width> dC, saved;
  };

  Derivative<T, Activation> derivative;

  template <int Width>
  KOKKOS_FUNCTION Inputs<Width> load(std::int64_t first) const {
    return {load_pack<Width>(derivative.dC + first), load_pack<Width>(derivative.saved + first)};
  }
  template <int Width>
  KOKKOS_FUNCTION void add(const Inputs<Width>& inputs, std::int64_t first, accumulator (&sums)[Width]) const {
    Pack<T, Width> dZ;
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Width; ++i) {
      const accumulator value = derivative.value(inputs.dC[i], inputs.saved[i]);
      dZ.set(i, static_cast<T>(value));
      sums[i] += value;
    }
    dZ.store(derivative.dZ + first);
  }
  KOKKOS_FUNCTION accumulator element(std::int64_t e) const {
    const accumulator value = derivative.value(derivative.dC[e], derivative.saved[e]);
    derivative.dZ[e]        = static_cast<T>(value);
    return value;
  }
};

/// On a device. The team of a block that ends last adds up the sums of all of them.
template <class T, class R, class Elements, bool ByRows, int Width>
struct ColumnSums {
  using Plan                 = ColumnSumsPlan<T>;
  static constexpr int lanes = Plan::lanes, groups = Plan::groups, threads = Plan::threads;
  static constexpr int block_columns = ByRows ? lanes * Width : groups;

  using accumulator = accumulator_t<T>;
  using Policy      = Kokkos::TeamPolicy<ExecutionSpace>;
  using Member      = typename Policy::member_type;
  using Scratch =
      Kokkos::View<accumulator*, ExecutionSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int scratch_size = ByRows ? threads * Width : threads;

  Plan plan;
  Elements elements;
  VectorView<R> sums;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int block = team.league_rank() % plan.blocks, part = team.league_rank() / plan.blocks;
    const int lane = team.team_rank() % lanes, group = team.team_rank() / lanes;
    const std::int64_t mine   = static_cast<std::int64_t>(block) * block_columns + team.team_rank();
    const bool has_column     = team.team_rank() < block_columns && mine < plan.n;
    accumulator thread[Width] = {};
    add_part(block, part, lane, group, thread);
    const accumulator of_part = block_sum(team, thread);
    if (plan.parts == 1) {
      if (has_column) sums(mine) = static_cast<R>(of_part);
      return;
    }
    if (has_column) plan.partial(part, mine) = of_part;
    if (!is_last(team, block)) return;
    accumulator parts[Width] = {};
    add_partial(block, lane, group, parts);
    const accumulator total = block_sum(team, parts);
    if (has_column) sums(mine) = static_cast<R>(total);
  }

  /// The first column of a thread.
  KOKKOS_FUNCTION static std::int64_t column_of(int block, int lane, int group) {
    return static_cast<std::int64_t>(block) * block_columns + (ByRows ? lane * Width : group);
  }

  KOKKOS_FUNCTION void add_part(int block, int part, int lane, int group, accumulator (&thread)[Width]) const {
    const std::int64_t column = column_of(block, lane, group);
    if (column >= plan.n) return;
    // A part of a column-major column begins with a whole pack.
    const std::int64_t length = ceil_div(ceil_div(plan.m, plan.parts), Width) * Width;
    const std::int64_t end    = (part + 1) * length < plan.m ? (part + 1) * length : plan.m;
    const std::int64_t row    = part * length + (ByRows ? group : lane * Width);
    const std::int64_t step   = ByRows ? groups : lanes * Width;
    if (row >= end) return;
    if constexpr (ByRows) {
      add_packs(row * plan.n + column, step * plan.n, ceil_div(end - row, step), thread);
    } else {
      add_packs(column * plan.m + row, step, ceil_div(end - row, step), thread);
    }
  }

  // Several packs are in flight before the first is added.
  KOKKOS_FUNCTION void add_packs(std::int64_t first, std::int64_t stride, std::int64_t count,
                                 accumulator (&thread)[Width]) const {
    constexpr int batch = Elements::batch;
    using Inputs        = decltype(elements.template load<Width>(0));
    for (; count >= batch; count -= batch, first += batch * stride) {
      Inputs inputs[batch];
      TEGULA_UNROLL_ON_DEVICE
      for (int b = 0; b < batch; ++b) inputs[b] = elements.template load<Width>(first + b * stride);
      TEGULA_UNROLL_ON_DEVICE
      for (int b = 0; b < batch; ++b) elements.add(inputs[b], first + b * stride, thread);
    }
    for (; count > 0; --count, first += stride) elements.add(elements.template load<Width>(first), first, thread);
  }

  // Several parts are in flight before the first is added, as only one team of the block is left.
  KOKKOS_FUNCTION void add_partial(int block, int lane, int group, accumulator (&thread)[Width]) const {
    constexpr int batch = 4, columns = ByRows ? Width : 1;
    const std::int64_t column = column_of(block, lane, group);
    if (column >= plan.n) return;
    const int step = ByRows ? groups : lanes;
    int part       = ByRows ? group : lane;
    for (; part + (batch - 1) * step < plan.parts; part += batch * step) {
      accumulator inputs[batch][columns];
      TEGULA_UNROLL_ON_DEVICE
      for (int b = 0; b < batch; ++b)
        for (int i = 0; i < columns; ++i) inputs[b][i] = plan.partial(part + b * step, column + i);
      TEGULA_UNROLL_ON_DEVICE
      for (int b = 0; b < batch; ++b)
        for (int i = 0; i < columns; ++i) thread[i] += inputs[b][i];
    }
    for (; part < plan.parts; part += step)
      for (int i = 0; i < columns; ++i) thread[i] += plan.partial(part, column + i);
  }

  // Over the threads that share a column: for the thread of rank r the sum of the block's column r.
  KOKKOS_FUNCTION accumulator block_sum(const Member& team, const accumulator (&thread)[Width]) const {
    const Scratch shared(team.team_scratch(0), scratch_size);
    const int rank = team.team_rank(), lane = rank % lanes, group = rank / lanes;
    team.team_barrier();
    if constexpr (ByRows) {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Width; ++i) shared(group * block_columns + lane * Width + i) = thread[i];
    } else {
      accumulator sum = 0;
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Width; ++i) sum += thread[i];
      shared(rank) = sum;
    }
    team.team_barrier();
    accumulator sum = 0;
    if (rank >= block_columns) return sum;
    for (int i = 0; i < (ByRows ? groups : lanes); ++i)
      sum += shared(ByRows ? i * block_columns + rank : rank * lanes + i);
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
};

/// On a host. Row by row an item sums a block of columns; of a column-major matrix it sums one.
template <class T, class R, class Elements>
struct HostColumnSums {
  static constexpr int most_columns = 512, chains = 16;

  using accumulator = accumulator_t<T>;

  Elements elements;
  std::int64_t m, n;
  bool by_rows;
  std::int64_t columns;  ///< of a block
  VectorView<R> sums;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    if (by_rows) {
      sum_block(item * columns);
    } else {
      sum_column(item);
    }
  }

  KOKKOS_FUNCTION void sum_block(std::int64_t first) const {
    const int width                 = static_cast<int>(n - first < columns ? n - first : columns);
    accumulator block[most_columns] = {};
    for (std::int64_t i = 0; i < m; ++i)
      for (int j = 0; j < width; ++j) block[j] += elements.element(i * n + first + j);
    for (int j = 0; j < width; ++j) sums(first + j) = static_cast<R>(block[j]);
  }

  // Independent sums, which the compiler may keep in a vector.
  KOKKOS_FUNCTION void sum_column(std::int64_t column) const {
    accumulator chain[chains] = {};
    std::int64_t i            = 0;
    for (; i + chains <= m; i += chains)
      for (int c = 0; c < chains; ++c) chain[c] += elements.element(column * m + i + c);
    for (int c = 0; i < m; ++i, ++c) chain[c] += elements.element(column * m + i);
    accumulator sum = 0;
    for (const accumulator one : chain) sum += one;
    sums(column) = static_cast<R>(sum);
  }
};

namespace Impl {

template <bool ByRows, int Width, class T, class R, class Elements>
void sum_on_device(const char* label, const ExecutionSpace& exec, const ColumnSumsPlan<T>& plan,
                   const Elements& elements, const VectorView<R>& sums) {
  using Sums = ColumnSums<T, R, Elements, ByRows, Width>;
  typename Sums::Policy policy(exec, plan.blocks * plan.parts, Sums::threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Sums::Scratch::shmem_size(Sums::scratch_size)));
  Kokkos::parallel_for(label, policy, Sums{plan, elements, sums});
}

template <class T, class R, class Elements>
void sum_on_host(const char* label, const ExecutionSpace& exec, const ColumnSumsPlan<T>& plan, const Elements& elements,
                 const VectorView<R>& sums) {
  using Sums                            = HostColumnSums<T, R, Elements>;
  constexpr std::int64_t fewest_columns = 64;  // some cache lines of a row
  const std::int64_t columns =
      std::clamp<std::int64_t>(ceil_div(plan.n, exec.concurrency()), fewest_columns, Sums::most_columns);
  const std::int64_t items = plan.by_rows ? ceil_div(plan.n, columns) : plan.n;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, items),
                       Sums{elements, plan.m, plan.n, plan.by_rows, columns, sums});
}

template <class T, class R, class Elements>
void sum_columns(const char* label, const ExecutionSpace& exec, const ColumnSumsPlan<T>& plan, const Elements& elements,
                 const VectorView<R>& sums) {
  if constexpr (runs_on_host) {
    sum_on_host(label, exec, plan, elements, sums);
  } else {
    constexpr int width = pack_width<T>;
    const bool packs    = plan.width == width;
    if (plan.by_rows) {
      packs ? sum_on_device<true, width>(label, exec, plan, elements, sums)
            : sum_on_device<true, 1>(label, exec, plan, elements, sums);
    } else {
      packs ? sum_on_device<false, width>(label, exec, plan, elements, sums)
            : sum_on_device<false, 1>(label, exec, plan, elements, sums);
    }
  }
}

}  // namespace Impl

/// sums(j) = sum over i of values(i, j), of the values' type or another
template <class T, class R>
void column_sums_pass(const ExecutionSpace& exec, const ColumnSumsPlan<T>& plan, const Matrix<T>& values,
                      const VectorView<R>& sums) {
  Impl::sum_columns("peer::column_sums", exec, plan, StoredElements<T>{values.storage().data()}, sums);
}

/// dZ(i, j) = dC(i, j) act'(saved(i, j)), and sums(j) = sum over i of dZ(i, j) before it is rounded; all matrices in
/// the layout of the plan.
template <class T, class R, class Activation>
void derivative_and_sums_pass(const ExecutionSpace& exec, const ColumnSumsPlan<T>& plan, const Matrix<T>& dC,
                              const Matrix<T>& saved, const Matrix<T>& dZ, const Activation& activation,
                              const VectorView<R>& sums) {
  const Derivative<T, Activation> derivative{dC.storage().data(), saved.storage().data(), dZ.storage().data(),
                                             Impl::line_length(dZ), activation};
  Impl::sum_columns("peer::derivative_and_sums", exec, plan, DerivativeElements<T, Activation>{derivative}, sums);
}

}  // namespace Tegula::Perf

#endif
