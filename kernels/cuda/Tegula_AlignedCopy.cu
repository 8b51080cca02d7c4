// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_LaunchCopies.hpp"

#include "Tegula_LaunchKernel.cuh"

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
      alignas(16) std::uint16_t elements[run];
      for (int e = 0; e < run; ++e) elements[e] = column + e < from.columns ? from(row, column + e) : 0;
      *reinterpret_cast<uint4*>(const_cast<std::uint16_t*>(&to(row, column))) =
          *reinterpret_cast<const uint4*>(elements);
    }
  }
};

}  // namespace

MatrixRef<const std::uint16_t> launch_aligned_copy(const Kokkos::Cuda& exec, const KernelLabel& label,
                                                   const MatrixRef<const std::uint16_t>& matrix, void* memory,
                                                   const CallableRef& before) {
  const auto copy       = aligned_copy_at(matrix, memory);
  const bool by_columns = !copy.columns_are_contiguous();
  AlignedCopy kernel{by_columns ? matrix.transposed() : matrix, by_columns ? copy.transposed() : copy, 0};
  while ((1 << kernel.shift) < team_threads && (run << kernel.shift) < kernel.from.columns) ++kernel.shift;
  const std::int64_t teams = ceil_div(kernel.from.rows, team_threads >> kernel.shift);
  launch_kernel(exec, label, static_cast<std::uint32_t>(teams), kernel, before);
  return copy;
}

}  // namespace Tegula::Impl
