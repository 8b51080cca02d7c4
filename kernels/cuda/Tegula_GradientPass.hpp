// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GRADIENT_PASS_HPP
#define TEGULA_GRADIENT_PASS_HPP

#include <algorithm>
#include <cstdint>

#include "Tegula_AlignedCopy.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_ColumnSums.hpp"
#include "Tegula_CudaCall.hpp"
#include "Tegula_CudaSpace.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_Plan.hpp"

/// The pass before the products of gemm_backward, for kernels that take their operands from memory only: it forms dZ =
/// dC act'(saved), rounded to the type of dC, and the sums of its columns, which are not rounded. The same pass behind
/// the products forms dZ of the layer below, in the place of the dA that they stored.

namespace Tegula::Impl {

/// What the pass reads and writes.
template <class Bits>
struct GradientCall {
  Element input;             // of dC and dZ
  MatrixRef<const Bits> dC;  // m x n
  AnyMatrix saved;           // null: the derivative is a constant
  ActivationChoice activation;
  AnyMatrix dbias;  // 1 x n; null: not wanted
  bool accumulates_dbias;
  bool is_identity;  // dZ is dC
};

/// Threads of a team, and teams that a multiprocessor runs at once.
inline constexpr int gradient_threads = 256, gradient_teams = 2;

/// Elements that a thread reads at once, along the contiguous direction: 16 bytes.
template <class Bits>
inline constexpr int run_of = 16 / sizeof(Bits);

/// Whether the pass goes along the rows of dC. dZ is laid out as the copy of an unaligned operand is.
template <class Bits>
bool is_along_rows(const MatrixRef<const Bits>& dC) {
  return dC.columns_are_contiguous() || !dC.rows_are_contiguous();
}

/// How matrices are read along the contiguous direction of dC: in words of 16 bytes of which their lines consist, in
/// the words that a run of elements is in, wherever it begins, or element by element.
enum class RunReads : std::uint8_t { words, split_words, elements };

/// How a matrix can be read whose lines have this length.
template <class Bits>
RunReads run_reads(const AnyMatrix& matrix, bool along_rows, std::int64_t length) {
  const std::int64_t step = along_rows ? matrix.column_stride : matrix.row_stride;
  const std::int64_t line = along_rows ? matrix.row_stride : matrix.column_stride;
  if (element_bytes(matrix.element) != sizeof(Bits) || step != 1) return RunReads::elements;
  const bool has_words =
      line % run_of<Bits> == 0 && length % run_of<Bits> == 0 && reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0;
  return has_words ? RunReads::words : RunReads::split_words;
}

/// The same for all that the pass reads.
template <class Bits>
RunReads run_reads(const GradientCall<Bits>& call) {
  const bool along_rows     = is_along_rows(call.dC);
  const std::int64_t length = along_rows ? call.dC.columns : call.dC.rows;
  const AnyMatrix dC{const_cast<Bits*>(call.dC.data), call.input, call.dC.row_stride, call.dC.column_stride};
  const RunReads of_dC = run_reads<Bits>(dC, along_rows, length);
  if (call.saved.data == nullptr) return of_dC;
  if (call.saved.element != call.input) return RunReads::elements;
  return std::max(of_dC, run_reads<Bits>(call.saved, along_rows, length));
}

/// Plans the pass: how teams share it, what it forms, and what it needs of the workspace, which holds dZ, laid out as
/// TMA wants it, then the sums of all parts. A plan without teams has nothing to do. With `wants_runs` a dC that TMA
/// does not take is copied, even if it equals dZ.
template <class Bits>
GradientPlan plan_gradient_pass(const GradientCall<Bits>& call, bool stores_dZ, bool wants_runs, int multiprocessors);

/// The pass for the layer below, whose dC is the dA of the call, and takes its dZ.
template <class Bits>
GradientPlan plan_gradient_pass_in_place(const GradientCall<Bits>& call, int multiprocessors) {
  GradientPlan plan = plan_gradient_pass(call, true, false, multiprocessors);
  plan.is_in_place  = plan.stores_dZ;
  plan.dZ_bytes     = 0;
  return plan;
}

/// The results of the pass, for the kernels after it.
template <class Bits>
struct FormedGradient {
  MatrixRef<const Bits> dZ;         // in the workspace, or dC itself if it is the same, or its place is taken
  ColumnSumsOf<sum_t<Bits>> dbias;  // of the parts, still to be added; none if there is one part
};

/// Where the pass puts its results.
template <class Bits>
FormedGradient<Bits> formed_gradient(const GradientCall<Bits>& call, const GradientPlan& plan, char* workspace) {
  const bool is_apart = plan.stores_dZ && !plan.is_in_place;
  FormedGradient<Bits> formed{is_apart ? aligned_copy_at(call.dC, workspace) : call.dC, {}};
  if (plan.sums_bytes > 0)
    formed.dbias = {reinterpret_cast<sum_t<Bits>*>(workspace + plan.dZ_bytes), static_cast<std::int32_t>(plan.parts),
                    static_cast<std::int32_t>(call.dC.columns), call.dbias, call.accumulates_dbias};
  return formed;
}

/// Queues the pass under this label, if there is one. This and the next call before() when all of theirs that can fail
/// is ready, and before anything is queued.
template <class Bits>
void launch_gradient_pass(const Kokkos::Cuda& exec, const KernelLabel& label, const GradientCall<Bits>& call,
                          const GradientPlan& plan, char* workspace, const CallableRef& before);

/// Queues a kernel that adds the sums of the parts, if there are any, for callers without another kernel that could.
/// `runs_beside`: what is in front of it has waited for the parts.
template <class Sum>
void launch_column_sums(const Kokkos::Cuda& exec, const KernelLabel& label, const ColumnSumsOf<Sum>& sums,
                        const CallableRef& before, bool runs_beside);

}  // namespace Tegula::Impl

#endif
