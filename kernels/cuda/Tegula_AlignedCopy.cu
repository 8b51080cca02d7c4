// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_LaunchCopies.hpp"

#include "Tegula_LaunchKernel.cuh"
#include "Tegula_RunElements.cuh"

namespace Tegula::Impl {
namespace {

constexpr int team_threads = 256, teams_at_once = 4;
constexpr int run = 8;  // elements that a thread copies, 16 bytes

/// Copies rows of any alignment to rows whose pitch is a multiple of a run; the rest of the last run becomes zero. A
/// team copies team_threads >> shift rows, each with 1 << shift threads.
struct AlignedCopy {
  using teams  = CudaTeams<team_threads, teams_at_once>;
  using member = teams::member;

  MatrixRef<const std::uint16_t> from, to;
  int shift;

  __device__ void operator()(const member& team) const {
    const int threads = 1 << shift;
    const std::int64_t row =
        static_cast<std::int64_t>(team.league_rank()) * (team_threads >> shift) + (team.team_rank() >> shift);
    if (row >= from.rows) return;
    for (std::int64_t column = (team.team_rank() & (threads - 1)) * run; column < from.columns;
         column += threads * run) {
      const std::int64_t left = from.columns - column;
      const int count         = left < run ? static_cast<int>(left) : run;
      *reinterpret_cast<uint4*>(const_cast<std::uint16_t*>(&to(row, column))) =
          from.columns_are_contiguous() ? words(&from(row, column), count) : elements(row, column, count);
    }
  }

 private:
  __device__ static uint4 words(const std::uint16_t* at, int count) {
    return first_elements(joined<std::uint16_t>(load_split_word(at, count), low_bits(at)), count);
  }
  __device__ uint4 elements(std::int64_t row, std::int64_t column, int count) const {
    std::uint32_t pairs[run / 2] = {};
#pragma unroll
    for (int e = 0; e < run; ++e)
      if (e < count) pairs[e / 2] |= std::uint32_t(from(row, column + e)) << (e % 2 * 16);
    return {pairs[0], pairs[1], pairs[2], pairs[3]};
  }
  // The others become zeros.
  __device__ static uint4 first_elements(const uint4& word, int count) {
    const auto pair = [&](std::uint32_t two, int first) {
      return count > first + 1 ? two : count > first ? two & 0xFFFF : 0;
    };
    return {pair(word.x, 0), pair(word.y, 2), pair(word.z, 4), pair(word.w, 6)};
  }
};

}  // namespace

MatrixRef<const std::uint16_t> launch_aligned_copy(const Kokkos::Cuda& exec, const KernelLabel& label,
                                                   const MatrixRef<const std::uint16_t>& matrix, void* memory,
                                                   bool runs_beside, const CallableRef& before) {
  const auto copy       = aligned_copy_at(matrix, memory);
  const bool by_columns = !copy.columns_are_contiguous();
  AlignedCopy kernel{by_columns ? matrix.transposed() : matrix, by_columns ? copy.transposed() : copy, 0};
  while ((1 << kernel.shift) < team_threads && (run << kernel.shift) < kernel.from.columns) ++kernel.shift;
  const std::int64_t teams = ceil_div(kernel.from.rows, team_threads >> kernel.shift);
  launch_kernel(exec, label, static_cast<std::uint32_t>(teams), kernel, before, {.runs_beside = runs_beside});
  return copy;
}

}  // namespace Tegula::Impl
