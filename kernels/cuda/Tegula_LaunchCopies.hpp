// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LAUNCH_COPIES_HPP
#define TEGULA_LAUNCH_COPIES_HPP

#include <string>

#include "Tegula_CudaSpace.hpp"
#include "Tegula_OperandCopies.hpp"

namespace Tegula::Impl {

/// Queues the copy of a matrix to memory of aligned_copy_bytes(), aligned to 16 bytes. Returns the copy.
MatrixRef<const std::uint16_t> launch_aligned_copy(const Kokkos::Cuda& exec, const std::string& label,
                                                   const MatrixRef<const std::uint16_t>& matrix, void* memory);

/// Queues these copies. Returns the call with them.
inline HalfCall launch_copies(const Kokkos::Cuda& exec, const std::string& label, const HalfCall& call,
                              const ProductPlan& product, char* workspace) {
  return with_copies(call, product, workspace, [&](const MatrixRef<const std::uint16_t>& operand, void* memory) {
    return launch_aligned_copy(exec, label, operand, memory);
  });
}

}  // namespace Tegula::Impl

#endif
