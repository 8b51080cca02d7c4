// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FINISH_PASS_KERNEL_CUH
#define TEGULA_FINISH_PASS_KERNEL_CUH

#include <cstdint>
#include <utility>

#include "Tegula_FinishPass.hpp"
#include "Tegula_LaunchKernel.cuh"
#include "Tegula_RunMatrix.cuh"

/// The kernel of the elementwise pass. The library compiles it for the activations that Tegula brings, an application's
/// file for its own.

namespace Tegula::Impl {

/// A thread takes a run of a line.
template <class Sum, class ActivationOf>
struct FinishPass {
  static constexpr int run = 32 / sizeof(Sum), threads = 256;
  using teams  = CudaTeams<threads, 4>;
  using Member = typename teams::member;

  RunMatrix sums, C, Z;
  AnyMatrix bias;
  Sum beta;
  std::int64_t n, runs, all;  // elements and runs of a line, and all runs
  ActivationOf activation;

  __device__ void operator()(const Member& team) const {
    const std::int64_t number = static_cast<std::int64_t>(team.league_rank()) * threads + team.team_rank();
    if (number >= all) return;
    const std::int64_t i = quotient(number, runs), j = (number - i * runs) * run;
    activation.template with_value<Sum>([&](const auto& act) { finish(i, j, act); });
  }

 private:
  template <class Act>
  __device__ void finish(std::int64_t i, std::int64_t j, const Act& act) const {
    const int count = n - j < run ? static_cast<int>(n - j) : run;
    Sum values[run];
    sums.read(i, j, count, values);
    if (beta != Sum(0)) {
      Sum old[run];
      C.read(i, j, count, old);
#pragma unroll
      for (int e = 0; e < run; ++e) values[e] += beta * old[e];
    }
    if (bias.data != nullptr) {
#pragma unroll
      for (int e = 0; e < run; ++e)
        if (e < count) values[e] += load<Sum>(bias, i, j + e);
    }
    if (Z.matrix.data != nullptr) Z.write(i, j, count, values);
#pragma unroll
    for (int e = 0; e < run; ++e) values[e] = act(values[e]);
    C.write(i, j, count, values);
  }
};

/// A matrix, or its transpose.
inline RunMatrix finish_matrix(const CallMatrix& matrix, bool is_transposed) {
  return run_matrix((is_transposed ? matrix.transposed() : matrix).any());
}

/// Queues the pass. Calls before() when all that can fail is ready, and before it is queued.
template <class Sum, class ActivationOf>
void launch_finish_of(const Kokkos::Cuda& exec, const KernelLabel& label, const FinishCall& call,
                      const ActivationOf& activation, const CallableRef& before) {
  using Pass           = FinishPass<Sum, ActivationOf>;
  const bool transpose = call.C.any().is_column_major();
  const auto matrix    = [&](const CallMatrix& m) { return finish_matrix(m, transpose); };
  std::int64_t m = call.C.rows, n = call.C.columns;
  if (transpose) std::swap(m, n);
  const std::int64_t runs = ceil_div(n, std::int64_t(Pass::run)), all = m * runs;
  if (all == 0) return before();
  const Pass kernel{matrix(call.sums),
                    matrix(call.C),
                    matrix(call.Z),
                    (transpose ? call.bias.transposed() : call.bias).any(),
                    static_cast<Sum>(call.beta),
                    n,
                    runs,
                    all,
                    activation};
  launch_kernel(exec, label, static_cast<std::uint32_t>(ceil_div(all, std::int64_t(Pass::threads))), kernel, before);
}

}  // namespace Tegula::Impl

#endif
