// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RUN_RESULT_CUH
#define TEGULA_RUN_RESULT_CUH

#include "Tegula_RunMatrix.cuh"
#include "Tegula_VectorEpilogue.cuh"

namespace Tegula::Impl {

/// What becomes of sums that other threads, or teams, have left: Z = alpha sums + beta C + bias, C = act(Z), a run of a
/// row a thread.
template <class Sum, class Activation>
struct RunResult {
  static constexpr int run = 32 / sizeof(Sum);
  using Values             = Sum[run];

  RunMatrix C, bias, Z;
  Activation activation;
  Sum alpha, beta;

  /// Elements of what a run depends on besides sums.
  struct Added {
    Values C, bias;
  };

  __device__ Added read(std::int64_t i, std::int64_t j, int count) const {
    Added added = {};
    if (beta != 0) C.read(i, j, count, added.C);
    if (bias.matrix.data != nullptr) bias.read(i, j, count, added.bias);
    return added;
  }

  /// Stores the first `count` of a run.
  __device__ void store(std::int64_t i, std::int64_t j, int count, Values& values, const Added& added) const {
#pragma unroll
    for (int e = 0; e < run; ++e) {
      values[e] = alpha == 0 ? Sum(0) : alpha * values[e];
      if (beta != 0) values[e] += beta * added.C[e];
      if (bias.matrix.data != nullptr) values[e] += added.bias[e];
    }
    if (Z.matrix.data != nullptr) Z.write(i, j, count, values);
    with_activation<Sum>(activation, [&](const auto& act) {
#pragma unroll
      for (int e = 0; e < run; ++e) values[e] = act(values[e]);
    });
    C.write(i, j, count, values);
  }
};

}  // namespace Tegula::Impl

#endif
