// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GRADIENT_PASS_KERNEL_CUH
#define TEGULA_GRADIENT_PASS_KERNEL_CUH

#include <bit>
#include <cstring>

#include "Tegula_GradientPass.hpp"
#include "Tegula_LaunchKernel.cuh"
#include "Tegula_RunElements.cuh"

/// The kernel of the pass before the products of gemm_backward. The library compiles it for the activations that Tegula
/// brings, an application's file for its own.

namespace Tegula::Impl {

/// Runs of a matrix along the contiguous direction of dC.
template <class Bits>
struct RunReader {
  static constexpr int run = run_of<Bits>;
  using Sum                = sum_t<Bits>;

  AnyMatrix matrix;
  std::int64_t step;  // between the elements of a run

  /// The first `count` elements of a run, and zeros.
  __device__ void read(std::int64_t i, std::int64_t j, int count, Sum (&values)[run]) const {
    const std::int64_t at = i * matrix.row_stride + j * matrix.column_stride;
    if constexpr (std::is_same_v<Bits, double>) {
      ask<double>(at, count, values);
    } else {
      std::uint32_t bits[run];
      matrix.element == Element::f32 ? ask<std::uint32_t>(at, count, bits) : ask<std::uint16_t>(at, count, bits);
#pragma unroll
      for (int e = 0; e < run; ++e) values[e] = from_bits(matrix.element, bits[e]);
    }
  }

  /// Where a run of elements of type Bits begins.
  __device__ const Bits* place(std::int64_t i, std::int64_t j) const {
    return static_cast<const Bits*>(matrix.data) + (i * matrix.row_stride + j * matrix.column_stride);
  }

 private:
  // All are asked for before the first is looked at.
  template <class Stored, class Asked>
  __device__ void ask(std::int64_t at, int count, Asked (&asked)[run]) const {
    const auto* const first = static_cast<const Stored*>(matrix.data) + at;
#pragma unroll
    for (int e = 0; e < run; ++e) asked[e] = e < count ? first[e * step] : Stored(0);
  }
};

/// Runs that are whole words.
template <class Bits>
struct WholeWords {
  using Asked                    = uint4;
  static constexpr bool is_whole = true;
  static constexpr int batch     = 4;
  __device__ static uint4 ask(const Bits* at, int) { return load_word(at); }
  __device__ static uint4 word(const uint4& asked, const Bits*) { return asked; }
};

/// Runs that begin anywhere. They take twice the registers until they are there.
template <class Bits>
struct SplitWords {
  using Asked                    = SplitWord;
  static constexpr bool is_whole = false;
  static constexpr int batch     = 2;
  __device__ static SplitWord ask(const Bits* at, int count) { return load_split_word(at, count); }
  __device__ static uint4 word(const SplitWord& asked, const Bits* at) { return joined<Bits>(asked, low_bits(at)); }
};

template <class Bits>
RunReader<Bits> run_reader(const AnyMatrix& matrix, bool along_rows) {
  return {matrix, along_rows ? matrix.column_stride : matrix.row_stride};
}

/// A team has a strip of columns and a part of the rows. 1 << shift of its threads are neighbours along the contiguous
/// direction. Each thread goes down the part, and takes one row of `run` columns a step if rows are contiguous, else
/// `run` rows of one column. All numbers of threads are powers of two: to divide by others takes longer than the rest.
template <class Input, class ActivationOf>
struct GradientPass {
  using Bits               = bits_t<Input>;
  using Sum                = sum_t<Bits>;
  using begins_itself      = void;
  static constexpr int run = run_of<Bits>, run_log2 = std::countr_zero(unsigned(run)), warp_lanes = 32;
  // Scratch is for column sums.
  using teams  = CudaTeams<gradient_threads, gradient_teams, gradient_threads * run* int(sizeof(Sum))>;
  using Member = typename teams::member;

  RunReader<Bits> dC, saved;
  MatrixRef<Bits> dZ;  // without data: not stored; dC: in place, whose lines have no room behind them
  AnyMatrix dbias;
  Sum* sums;  // of the parts, parts x n; null: dbias itself is written
  ActivationOf activation;
  std::int64_t m, n, part_rows;
  int strips, shift;
  RunReads reads;
  bool along_rows, accumulates_dbias, stores_words;

  __device__ void operator()(const Member& team) const {
    activation.template with_slope<Sum>([&](const auto& derivative) { run_part(team, derivative); });
  }

 private:
  template <class Derivative>
  __device__ void run_part(const Member& team, const Derivative& derivative) const {
    const int lanes = 1 << shift, lines = gradient_threads >> shift;
    const int lane = team.team_rank() & (lanes - 1), line = team.team_rank() >> shift;
    const int part            = static_cast<unsigned>(team.league_rank()) / static_cast<unsigned>(strips);
    const int strip           = team.league_rank() - part * strips;
    const std::int64_t column = std::int64_t(strip) * (along_rows ? lanes * run : lines);
    const std::int64_t j      = column + (along_rows ? lane * run : line);
    const std::int64_t first = part * part_rows, last = first + part_rows < m ? first + part_rows : m;
    const int step = along_rows ? lines : lanes * run;
    begin_in_order(team);
    Sum totals[run] = {};
    if (j < n) {
      const std::int64_t begin = first + (along_rows ? line : lane * run);
      switch (reads) {
        case RunReads::words:
          add_words<WholeWords<Bits>>(begin, last, step, j, derivative, totals);
          break;
        case RunReads::split_words:
          add_words<SplitWords<Bits>>(begin, last, step, j, derivative, totals);
          break;
        case RunReads::elements:
          add_elements(begin, last, step, j, derivative, totals);
      }
    }
    if (dbias.data == nullptr) return;
    along_rows ? add_up_lines(team, column, part, totals) : add_up_lanes(lane, j, part, totals);
  }

  // Several words of dC and of saved are loaded before the first is used, so that the loads overlap.
  template <class Words, class Derivative>
  __device__ void add_words(std::int64_t begin, std::int64_t last, int step, std::int64_t j,
                            const Derivative& derivative, Sum (&totals)[run]) const {
    constexpr int batch     = Words::batch;
    const bool has_saved    = saved.matrix.data != nullptr;
    const std::int64_t down = step * dC.matrix.row_stride, saved_down = step * saved.matrix.row_stride;
    const Bits *dC_at = dC.place(begin, j), *saved_at = saved.place(begin, j);
    for (std::int64_t i0 = begin; i0 < last;
         i0 += batch * step, dC_at += batch * down, saved_at += batch * saved_down) {
      typename Words::Asked dC_words[batch], saved_words[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        const std::int64_t i = i0 + b * step;
        dC_words[b] = saved_words[b] = {};
        const int count              = Words::is_whole ? run : count_of(i, j, last);
        if (i < last) dC_words[b] = Words::ask(dC_at + b * down, count);
        if (i < last && has_saved) saved_words[b] = Words::ask(saved_at + b * saved_down, count);
      }
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        const std::int64_t i = i0 + b * step;
        if (i >= last) break;
        Sum values[run], at[run];
        unpack<Input>(Words::word(dC_words[b], dC_at + b * down), values);
        unpack<Input>(has_saved ? Words::word(saved_words[b], saved_at + b * saved_down) : uint4{}, at);
        const int count = Words::is_whole ? run : count_of(i, j, last);
        if (count < run) {
#pragma unroll
          for (int e = 0; e < run; ++e) values[e] = e < count ? values[e] : Sum(0), at[e] = e < count ? at[e] : Sum(0);
        }
        add_run(i, j, count, at, derivative, values, totals);
      }
    }
  }

  // Elements of the run that are inside.
  __device__ int count_of(std::int64_t i, std::int64_t j, std::int64_t last) const {
    const std::int64_t left = along_rows ? n - j : last - i;
    return left < run ? static_cast<int>(left) : run;
  }

  template <class Derivative>
  __device__ void add_elements(std::int64_t begin, std::int64_t last, int step, std::int64_t j,
                               const Derivative& derivative, Sum (&totals)[run]) const {
    for (std::int64_t i = begin; i < last; i += step) {
      const int count = count_of(i, j, last);
      Sum values[run], at[run] = {};
      dC.read(i, j, count, values);
      if (saved.matrix.data != nullptr) saved.read(i, j, count, at);
      add_run(i, j, count, at, derivative, values, totals);
    }
  }

  // Replaces dC by dZ, adds it to the totals and stores it.
  template <class Derivative>
  __device__ void add_run(std::int64_t i, std::int64_t j, int count, const Sum (&at)[run], const Derivative& derivative,
                          Sum (&values)[run], Sum (&totals)[run]) const {
#pragma unroll
    for (int e = 0; e < run; ++e) {
      values[e] *= derivative(at[e]);
      if (e < count) totals[e] += values[e];
    }
    if (dZ.data != nullptr) store(i, j, count, values);
  }

  // Stores a whole run where the lines of dZ have room for it.
  __device__ void store(std::int64_t i, std::int64_t j, int count, const Sum (&values)[run]) const {
    const auto word = packed<Input>(values);
    if (stores_words) {
      *reinterpret_cast<std::decay_t<decltype(word)>*>(&dZ(i, j)) = word;
      return;
    }
    Bits elements[run];
    static_assert(sizeof(elements) == sizeof(word));
    memcpy(elements, &word, sizeof(word));
    Bits* const first = &dZ(i, j);
#pragma unroll
    for (int e = 0; e < run; ++e)
      if (e < count) first[e * dC.step] = elements[e];
  }

  // The threads that went down the same columns add their totals, always in the same order. Those of a column that is
  // contiguous are neighbours in a warp.
  __device__ void add_up_lanes(int lane, std::int64_t j, int part, const Sum (&totals)[run]) const {
    Sum total = 0;
#pragma unroll
    for (int e = 0; e < run; ++e) total += totals[e];
    for (int lanes = 1 << shift, distance = 1; distance < lanes; distance *= 2)
      total += __shfl_xor_sync(0xFFFFFFFFu, total, distance);
    if (lane == 0 && j < n) store_total(j, part, total);
  }

  // Others meet in scratch, a row for each line of threads.
  __device__ void add_up_lines(const Member& team, std::int64_t first_column, int part,
                               const Sum (&totals)[run]) const {
    auto* const shared     = static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(teams::scratch_bytes), 16));
    const int rank         = team.team_rank();
    const int columns_log2 = shift + run_log2, columns = 1 << columns_log2;
    using Word          = std::conditional_t<std::is_same_v<Sum, double>, double2, float4>;
    constexpr int count = sizeof(totals) / sizeof(Word);
    Word words[count];
    memcpy(words, totals, sizeof(totals));
    auto* const own = reinterpret_cast<Word*>(shared + rank * run);
#pragma unroll
    for (int w = 0; w < count; ++w) own[w] = words[w];
    team.team_barrier();
    // First every thread adds `run` rows; then warps add what their threads have of a column, and one thread the rest.
    const int column = rank & (columns - 1), helper = rank >> columns_log2, helpers = gradient_threads >> columns_log2;
    Sum* const rows = shared + helper * run * columns + column;
    Sum total       = 0;
#pragma unroll
    for (int r = 0; r < run; ++r) total += rows[r * columns];
    for (int distance = columns; distance < warp_lanes; distance *= 2)
      total += __shfl_xor_sync(0xFFFFFFFFu, total, distance);
    rows[0] = total;
    team.team_barrier();
    const std::int64_t j = first_column + column;
    if (helper > 0 || j >= n) return;
    const int of_warp = columns < warp_lanes ? warp_lanes >> columns_log2 : 1;
    for (int other = of_warp; other < helpers; other += of_warp) total += rows[other * run * columns];
    store_total(j, part, total);
  }

  __device__ void store_total(std::int64_t j, int part, Sum total) const {
    if (sums != nullptr) {
      sums[part * n + j] = total;
    } else {
      Impl::store(dbias, 0, j, accumulates_dbias ? total + load<Sum>(dbias, 0, j) : total);
    }
  }
};

template <class Bits>
AnyMatrix any_bits(Element element, const MatrixRef<const Bits>& bits) {
  return {const_cast<Bits*>(bits.data), element, bits.row_stride, bits.column_stride};
}

/// Queues the pass of an activation under this label, for dC of type Input. Calls before() when all that can fail is
/// ready, and before anything is queued.
template <class Input, class ActivationOf>
void launch_gradient_pass_of(const Kokkos::Cuda& exec, const KernelLabel& label,
                             const GradientCall<bits_t<Input>>& call, const GradientPlan& plan, char* workspace,
                             const ActivationOf& activation, const CallableRef& before) {
  using Bits = bits_t<Input>;
  using Pass = GradientPass<Input, ActivationOf>;
  if (plan.teams() == 0) return before();
  const auto formed     = formed_gradient(call, plan, workspace);
  auto* const sums      = const_cast<sum_t<Bits>*>(formed.dbias.parts_of_sums);
  const bool along_rows = is_along_rows(call.dC);
  const auto dZ         = plan.stores_dZ ? formed.dZ : MatrixRef<const Bits>{};
  const auto dC         = run_reader<Bits>(any_bits(call.input, call.dC), along_rows);
  const auto saved      = run_reader<Bits>(call.saved, along_rows);
  const Pass kernel{
      dC,
      saved,
      {const_cast<Bits*>(dZ.data), dZ.rows, dZ.columns, dZ.row_stride, dZ.column_stride},
      call.dbias,
      sums,
      activation,
      call.dC.rows,
      call.dC.columns,
      plan.part_rows,
      static_cast<int>(plan.strips),
      plan.shift,
      run_reads(call),
      along_rows,
      call.accumulates_dbias,
      !plan.is_in_place || run_reads<Bits>(any_bits(call.input, call.dC), along_rows,
                                           along_rows ? call.dC.columns : call.dC.rows) == RunReads::words};
  launch_kernel(exec, label, static_cast<std::uint32_t>(plan.teams()), kernel, before);
}

}  // namespace Tegula::Impl

#endif
