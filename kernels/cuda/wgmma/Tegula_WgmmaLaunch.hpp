// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_LAUNCH_HPP
#define TEGULA_WGMMA_LAUNCH_HPP

#include "../Tegula_ColumnSums.hpp"

/// Launches that are compiled into the library, for compute capability 9.0a, which the rest is not.

namespace Tegula::Impl {

/// Bytes of the copies of operands that the copy engine does not take as they lie.
struct WgmmaCopies {
  std::size_t left_bytes = 0, right_bytes = 0;

  bool none() const { return left_bytes + right_bytes == 0; }
};
WgmmaCopies wgmma_copies(const TensorCall& call, const GemmShape& shape);

/// Whether a product is so large that to prepare its operands is quicker than to take the portable kernel.
inline bool is_worth_preparing(const GemmShape& shape) {
  constexpr double least = 1 << 28;
  return static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) >= least;
}

#ifdef KOKKOS_ENABLE_CUDA
/// Queues the products of a plan, one kernel for both if there are two: first the copies that it lists, then the
/// kernel. Copies and, with split-k, slices of sums go to the products' parts of the workspace, which follow each
/// other.
/// The kernel also adds column sums, if there are some.
void launch_wgmma(const Kokkos::Cuda& exec, TensorCalls calls, const ColumnSums& sums, const Plan& plan,
                  char* workspace);
#endif

}  // namespace Tegula::Impl

#endif
