// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_SLICE_RUNS_CUH
#define TEGULA_CUDA_SLICE_RUNS_CUH

#include "Tegula_LaunchKernel.cuh"
#include "Tegula_RunMatrix.cuh"
#include "Tegula_VectorEpilogue.cuh"

/// The addition of slices of results whose lines are whole vectors. An element takes two or three hundred instructions,
/// most of which are the same for its neighbours: where it lies, which activation, of what type it is. So a thread has
/// a run of them, of a row or, where results lie by columns, of a column: of these, an element a thread would write 2
/// bytes of a sector of 32.

namespace Tegula::Impl {

/// Z = alpha sums + beta C + bias, C = act(Z), a sum being that of all slices, which lie as rows of n without gaps. The
/// results are given by their lines: those that lie by columns, transposed.
template <class Sum, class Activation>
struct SliceRuns {
  const Sum* slices;
  std::int64_t slice_size, n, length;  // elements of a slice, of a row of it, of a line of the result
  std::int64_t beside, all;            // runs whose sums lie side by side in a slice; all
  std::int32_t splits;
  RunMatrix C, bias, Z;
  Activation activation;
  Sum alpha, beta;
};

/// Slices are added in their order. What results are made of beside the sums is read while the product's kernel ends:
/// no product in front of this one that may still run writes it.
template <class Sum, class Activation, bool by_columns>
struct SliceRunsKernel : SliceRuns<Sum, Activation> {
  using begins_itself = void;

  // Cut gradients, which lie by columns, are small: of large teams there were too few to fill the device.
  static constexpr int run = 32 / sizeof(Sum), threads = by_columns ? 64 : 256;
  using teams  = CudaTeams<threads, 768 / threads>;
  using member = typename teams::member;

  explicit SliceRunsKernel(const SliceRuns<Sum, Activation>& arguments) : SliceRuns<Sum, Activation>(arguments) {}

  __device__ void operator()(const member& team) const {
    const std::int64_t number = static_cast<std::int64_t>(team.league_rank()) * threads + team.team_rank();
    if (number >= this->all) return begin_in_order(team);
    const std::int64_t far = quotient(number, this->beside), near = number - far * this->beside;
    const std::int64_t line = by_columns ? near : far, at = (by_columns ? far : near) * run;
    const int count = this->length - at < run ? static_cast<int>(this->length - at) : run;
    Values old = {}, bias = {}, values = {};
    if (this->beta != 0) this->C.read(line, at, count, old);
    if (this->bias.matrix.data != nullptr) this->bias.read(line, at, count, bias);
    begin_in_order(team);

    add_slices(this->slices + (by_columns ? at * this->n + line : line * this->n + at), count, values);
#pragma unroll
    for (int e = 0; e < run; ++e) {
      values[e] = this->alpha == 0 ? Sum(0) : this->alpha * values[e];
      if (this->beta != 0) values[e] += this->beta * old[e];
      if (this->bias.matrix.data != nullptr) values[e] += bias[e];
    }
    if (this->Z.matrix.data != nullptr) this->Z.write(line, at, count, values);
    with_activation<Sum>(this->activation, [&](const auto& activation) {
#pragma unroll
      for (int e = 0; e < run; ++e) values[e] = activation(values[e]);
    });
    this->C.write(line, at, count, values);
  }

 private:
  using Values = Sum[run];

  // Several slices are asked for before the first is added.
  __device__ void add_slices(const Sum* slice, int count, Values& sums) const {
    constexpr int batch = 4;
#pragma unroll 1
    for (int split = 0; split < this->splits; split += batch, slice += batch * this->slice_size) {
      Values parts[batch] = {};
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (split + b < this->splits) read(slice + b * this->slice_size, count, parts[b]);
#pragma unroll
      for (int b = 0; b < batch; ++b)
#pragma unroll
        for (int e = 0; e < run; ++e) sums[e] += parts[b][e];
    }
  }

  __device__ void read(const Sum* from, int count, Values& values) const {
    constexpr int size = Vector<Sum>::size;
    if constexpr (by_columns) {
#pragma unroll
      for (int e = 0; e < run; ++e)
        if (e < count) values[e] = from[e * this->n];
    } else {
#pragma unroll
      for (int v = 0; v < run / size; ++v) {
        if (v * size >= count) continue;
        const Vector<Sum> vector = reinterpret_cast<const Vector<Sum>*>(from)[v];
#pragma unroll
        for (int e = 0; e < size; ++e) values[v * size + e] = vector.of[e];
      }
    }
  }
};

}  // namespace Tegula::Impl

#endif
