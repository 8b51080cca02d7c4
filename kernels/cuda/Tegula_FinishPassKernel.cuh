// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FINISH_PASS_KERNEL_CUH
#define TEGULA_FINISH_PASS_KERNEL_CUH

#include <cstdint>
#include <utility>

#include "Tegula_CudaElement.cuh"
#include "Tegula_FinishPass.hpp"
#include "Tegula_LaunchKernel.cuh"

/// The kernel of the elementwise pass. The library compiles it for the activations that Tegula brings, an application's
/// file for its own.

namespace Tegula::Impl {

/// A matrix of which threads read and write runs of a line.
struct FinishMatrix {
  AnyMatrix matrix;
  bool whole = false;  // a whole run lies in memory as vectors of 16 bytes, at multiples of 16

  /// The first `count` elements of a run; what lies behind is 0.
  template <class Sum, int run>
  __device__ void read(std::int64_t i, std::int64_t j, int count, Sum (&values)[run]) const {
    if (whole && count == run) {
      read_words(begin(i, j), values);
    } else {
#pragma unroll
      for (int e = 0; e < run; ++e) values[e] = e < count ? load<Sum>(matrix, i, j + e) : Sum(0);
    }
  }

  template <class Sum, int run>
  __device__ void write(std::int64_t i, std::int64_t j, int count, const Sum (&values)[run]) const {
    if (whole && count == run) {
      write_words(begin(i, j), values);
    } else {
#pragma unroll
      for (int e = 0; e < run; ++e)
        if (e < count) store(matrix, i, j + e, values[e]);
    }
  }

 private:
  __device__ void* begin(std::int64_t i, std::int64_t j) const {
    return static_cast<char*>(matrix.data) +
           (i * matrix.row_stride + j * matrix.column_stride) * element_bytes(matrix.element);
  }

  __device__ void read_words(const void* from, float (&v)[8]) const {
    if (matrix.element == Element::f32) {
      const float4 low = static_cast<const float4*>(from)[0], high = static_cast<const float4*>(from)[1];
      v[0] = low.x, v[1] = low.y, v[2] = low.z, v[3] = low.w;
      v[4] = high.x, v[5] = high.y, v[6] = high.z, v[7] = high.w;
    } else {
      const uint4 word            = *static_cast<const uint4*>(from);
      const std::uint32_t pairs[] = {word.x, word.y, word.z, word.w};
#pragma unroll
      for (int e = 0; e < 8; ++e) v[e] = from_bits(matrix.element, pairs[e / 2] >> (e % 2 * 16) & 0xFFFF);
    }
  }
  __device__ void read_words(const void* from, double (&v)[4]) const {
    const double2 low = static_cast<const double2*>(from)[0], high = static_cast<const double2*>(from)[1];
    v[0] = low.x, v[1] = low.y, v[2] = high.x, v[3] = high.y;
  }

  __device__ void write_words(void* to, const float (&v)[8]) const {
    if (matrix.element == Element::f32) {
      static_cast<float4*>(to)[0] = {v[0], v[1], v[2], v[3]};
      static_cast<float4*>(to)[1] = {v[4], v[5], v[6], v[7]};
    } else {
      const bool half = matrix.element == Element::f16;
      const auto pair = [&](int e) {
        return half ? rounded_pair<F16>(v[e], v[e + 1]) : rounded_pair<Bf16>(v[e], v[e + 1]);
      };
      *static_cast<uint4*>(to) = {pair(0), pair(2), pair(4), pair(6)};
    }
  }
  __device__ void write_words(void* to, const double (&v)[4]) const {
    static_cast<double2*>(to)[0] = {v[0], v[1]};
    static_cast<double2*>(to)[1] = {v[2], v[3]};
  }
};

/// A thread takes a run of a line.
template <class Sum, class ActivationOf>
struct FinishPass {
  static constexpr int run = 32 / sizeof(Sum), threads = 256;
  using teams  = CudaTeams<threads, 4>;
  using Member = typename teams::member;

  FinishMatrix sums, C, Z;
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

/// A matrix, or its transpose, with what lets a run be read at once.
inline FinishMatrix finish_matrix(const CallMatrix& call_matrix, bool is_transposed) {
  const AnyMatrix matrix = (is_transposed ? call_matrix.transposed() : call_matrix).any();
  const bool has_runs    = matrix.column_stride == 1 && matrix.row_stride * element_bytes(matrix.element) % 16 == 0;
  return {matrix, has_runs && reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0};
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
