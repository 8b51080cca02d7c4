// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_SLICE_RUNS_CUH
#define TEGULA_CUDA_SLICE_RUNS_CUH

#include "Tegula_LaunchKernel.cuh"
#include "Tegula_RunResult.cuh"

/// The addition of slices whose rows are whole vectors. An element takes two or three hundred instructions, most of
/// which are the same for its neighbours: where it lies, which activation, of what type it is. So a thread has a run of
/// them.

namespace Tegula::Impl {

/// A sum is that of all slices, which lie as rows of n without gaps.
template <class Sum, class Activation>
struct SliceRuns {
  const Sum* slices;
  std::int64_t slice_size, n, runs, all;  // elements of a slice, and of a row; runs of a row, and of all
  std::int32_t splits;
  RunResult<Sum, Activation> result;
};

/// Slices are added in their order. What results are made of beside the sums is read while the product's kernel ends:
/// no product in front of this one that may still run writes it.
template <class Sum, class Activation>
struct SliceRunsKernel : SliceRuns<Sum, Activation> {
  using begins_itself = void;

  static constexpr int run = RunResult<Sum, Activation>::run, threads = 256;
  using teams  = CudaTeams<threads, 3>;
  using member = typename teams::member;

  explicit SliceRunsKernel(const SliceRuns<Sum, Activation>& arguments) : SliceRuns<Sum, Activation>(arguments) {}

  __device__ void operator()(const member& team) const {
    const std::int64_t number = static_cast<std::int64_t>(team.league_rank()) * threads + team.team_rank();
    if (number >= this->all) return begin_in_order(team);
    const std::int64_t i = quotient(number, this->runs), j = (number - i * this->runs) * run;
    const int count  = this->n - j < run ? static_cast<int>(this->n - j) : run;
    const auto added = this->result.read(i, j, count);
    begin_in_order(team);
    Values sums = {};
    add_slices(this->slices + i * this->n + j, count, sums);
    this->result.store(i, j, count, sums, added);
  }

 private:
  using Values = typename RunResult<Sum, Activation>::Values;

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
#pragma unroll
    for (int v = 0; v < run / size; ++v) {
      if (v * size >= count) continue;
      const Vector<Sum> vector = reinterpret_cast<const Vector<Sum>*>(from)[v];
#pragma unroll
      for (int e = 0; e < size; ++e) values[v * size + e] = vector.of[e];
    }
  }
};

}  // namespace Tegula::Impl

#endif
