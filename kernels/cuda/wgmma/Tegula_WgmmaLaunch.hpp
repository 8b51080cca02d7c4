// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_LAUNCH_HPP
#define TEGULA_WGMMA_LAUNCH_HPP

#include "../Tegula_TensorCall.hpp"

/// Launches that are compiled into the library, for compute capability 9.0a, which the rest is not.

namespace Tegula::Impl {

/// Bytes of the copies of operands that the copy engine does not take as they lie.
struct WgmmaCopies {
  std::size_t left_bytes = 0, right_bytes = 0;

  bool none() const { return left_bytes + right_bytes == 0; }
};
WgmmaCopies wgmma_copies(const TensorCall& call, const GemmShape& shape);

/// Whether a product is so large that to copy its operands is quicker than to take the portable kernel.
inline bool is_worth_copying(const GemmShape& shape) {
  constexpr double least = 1 << 28;
  return static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) >= least;
}

#ifdef KOKKOS_ENABLE_CUDA
/// Queues the kernel of a planned call. With split-k the sums go to partial_sums, in slices.
void launch_wgmma(const Kokkos::Cuda& exec, const TensorCall& call, const Plan& plan, float* partial_sums);
#endif

}  // namespace Tegula::Impl

#endif
