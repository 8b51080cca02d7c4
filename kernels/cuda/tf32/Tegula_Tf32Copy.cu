// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Tf32Copy.hpp"

#include "../Tegula_LaunchKernel.cuh"

namespace Tegula::Impl {
namespace {

constexpr int team_threads = 256, teams_at_once = 4;

/// A team copies a tile of 64 lines x 64 steps. Neighbouring threads read along the contiguous direction and write
/// along the depth. Where these differ, the tile is transposed in scratch.
struct Tf32Copy {
  static constexpr int edge = 64, pitch = edge + 1, passes = edge * edge / team_threads, rows = team_threads / edge;
  using teams  = CudaTeams<team_threads, teams_at_once, edge * pitch* int(sizeof(float))>;
  using member = teams::member;

  MatrixRef<const float> from, to;
  bool along_lines;
  std::int64_t blocks;  // of depth

  __device__ void operator()(const member& team) const {
    const std::int64_t line = team.league_rank() / blocks * edge, depth = team.league_rank() % blocks * edge;
    const int fast = team.team_rank() % edge, slow = team.team_rank() / edge;
    float values[passes];
#pragma unroll
    for (int p = 0; p < passes; ++p) {
      const int other = slow + p * rows;
      values[p]       = along_lines ? read(line + fast, depth + other) : read(line + other, depth + fast);
    }
    if (along_lines) turn(team, fast, slow, values);
#pragma unroll
    for (int p = 0; p < passes; ++p) {
      const std::int64_t i = line + slow + p * rows, j = depth + fast;
      if (i < to.rows && j < to.columns) const_cast<float&>(to(i, j)) = values[p];
    }
  }

 private:
  __device__ float read(std::int64_t i, std::int64_t j) const {
    return i < from.rows && j < from.columns ? from(i, j) : 0;
  }

  __device__ void turn(const member& team, int fast, int slow, float (&values)[passes]) const {
    auto* const tile = static_cast<float*>(team.team_scratch(0).get_shmem_aligned(int(teams::scratch_bytes), 16));
#pragma unroll
    for (int p = 0; p < passes; ++p) tile[(slow + p * rows) * pitch + fast] = values[p];
    team.team_barrier();
#pragma unroll
    for (int p = 0; p < passes; ++p) values[p] = tile[fast * pitch + slow + p * rows];
  }
};

}  // namespace

MatrixRef<const float> launch_tf32_copy(const Kokkos::Cuda& exec, const KernelLabel& label,
                                        const MatrixRef<const float>& matrix, void* memory, bool runs_beside,
                                        const CallableRef& before) {
  const auto copy        = tf32_copy_at(matrix, memory);
  const bool along_lines = matrix.rows_are_contiguous() && !matrix.columns_are_contiguous();
  const Tf32Copy kernel{matrix, copy, along_lines, ceil_div(matrix.columns, Tf32Copy::edge)};
  const std::int64_t teams = ceil_div(matrix.rows, Tf32Copy::edge) * kernel.blocks;
  launch_kernel(exec, label, static_cast<std::uint32_t>(teams), kernel, before, {.runs_beside = runs_beside});
  return copy;
}

}  // namespace Tegula::Impl
