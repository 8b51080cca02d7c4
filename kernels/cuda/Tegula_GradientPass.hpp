// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GRADIENT_PASS_HPP
#define TEGULA_GRADIENT_PASS_HPP

#include <string>

#include "Tegula_AlignedCopy.hpp"
#include "Tegula_ColumnSums.hpp"
#include "Tegula_CudaProblem.hpp"
#include "Tegula_Plan.hpp"

/// The pass before the products of gemm_backward, for kernels that take their operands from memory only: it forms dZ =
/// dC act'(saved), rounded to the type of dC, and the sums of its columns, which are not rounded.

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
};

template <class T, class SavedScalar, class DA, class DB, class DBias, class Activation>
GradientCall<bits_t<T>> gradient_call(const GemmBackwardProblem<T, SavedScalar, T, T, DA, DB, DBias, Activation>& p) {
  const AnyMatrix saved = Activation::saved == Saved::nothing ? AnyMatrix{} : any_matrix(p.saved);
  return {element_of<T>,
          bits_of(p.dC),
          saved,
          activation_choice(p.activation),
          any_matrix(p.dbias),
          p.update_dbias == Update::accumulate};
}

/// Plans the pass: how teams share it, what it forms, and what it needs of the workspace, which holds dZ, laid out as
/// TMA wants it, then the sums of all parts. A plan without teams has nothing to do. With `wants_runs` a dC that TMA
/// does not take is copied, even if it equals dZ.
template <class Bits>
GradientPlan plan_gradient_pass(const GradientCall<Bits>& call, bool stores_dZ, bool wants_runs, int multiprocessors);

/// The results of the pass, for the kernels after it.
template <class Bits>
struct FormedGradient {
  MatrixRef<const Bits> dZ;         // in the workspace, or dC itself if it is the same
  ColumnSumsOf<sum_t<Bits>> dbias;  // of the parts, still to be added; none if there is one part
};

/// Where the pass puts its results.
template <class Bits>
FormedGradient<Bits> formed_gradient(const GradientCall<Bits>& call, const GradientPlan& plan, char* workspace) {
  FormedGradient<Bits> formed{plan.stores_dZ ? aligned_copy_at(call.dC, workspace) : call.dC, {}};
  if (plan.sums_bytes > 0)
    formed.dbias = {reinterpret_cast<sum_t<Bits>*>(workspace + plan.dZ_bytes), static_cast<std::int32_t>(plan.parts),
                    static_cast<std::int32_t>(call.dC.columns), call.dbias, call.accumulates_dbias};
  return formed;
}

#ifdef KOKKOS_ENABLE_CUDA
/// Queues the pass, if there is one.
template <class Bits>
void launch_gradient_pass(const Kokkos::Cuda& exec, const std::string& label, const GradientCall<Bits>& call,
                          const GradientPlan& plan, char* workspace);

/// Queues a kernel that adds the sums of the parts, if there are any, for callers without another kernel that could.
template <class Sum>
void launch_column_sums(const Kokkos::Cuda& exec, const std::string& label, const ColumnSumsOf<Sum>& sums);
#endif

}  // namespace Tegula::Impl

#endif
