// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LAUNCH_COPIES_HPP
#define TEGULA_LAUNCH_COPIES_HPP

#include <cstdint>
#include <utility>

#include "Tegula_CallableRef.hpp"
#include "Tegula_CudaSpace.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_OperandCopies.hpp"

namespace Tegula::Impl {

/// Queues the copy of a matrix to memory of aligned_copy_bytes(), aligned to 16 bytes; perhaps beside what is in front.
/// Returns the copy. Calls before() when all that can fail is ready, and before anything is queued.
MatrixRef<const std::uint16_t> launch_aligned_copy(const Kokkos::Cuda& exec, const KernelLabel& label,
                                                   const MatrixRef<const std::uint16_t>& matrix, void* memory,
                                                   bool runs_beside, const CallableRef& before);

/// Queues the copies that a product lists, by the same kernel: launch_copy(step, operand, memory, runs_beside, before)
/// queues one. Calls before() when that kernel is ready, and before it is queued. Both run beside each other; and where
/// nothing is copied that another kernel of the call writes, also beside what is in front, if that is of the call:
/// `is_behind`.
template <class Bits, class LaunchCopy>
void launch_copies_by(const ProductCall<Bits>& call, const ProductPlan& product, char* workspace, bool is_behind,
                      const CallableRef& before, const LaunchCopy& launch_copy) {
  bool is_called  = false;
  const auto once = [&] {
    if (!std::exchange(is_called, true)) before();
  };
  const char* step = product.copy_steps[product.left_copy_bytes > 0 ? 0 : 1];
  with_copies(call, product, workspace, [&](const MatrixRef<const Bits>& operand, void* memory) {
    return launch_copy(std::exchange(step, product.copy_steps[1]), operand, memory, std::exchange(is_behind, true),
                       CallableRef(once));
  });
  once();  // where there is nothing to copy
}

/// The same with copies that TMA takes. It takes dZ as it is formed.
inline void launch_copies(const Kokkos::Cuda& exec, const KernelLabel& label, const HalfCall& call,
                          const ProductPlan& product, char* workspace, bool is_behind, const CallableRef& before) {
  launch_copies_by(call, product, workspace, is_behind, before,
                   [&](const char* step, const auto& operand, void* memory, bool runs_beside, const CallableRef& once) {
                     return launch_aligned_copy(exec, label + step, operand, memory, runs_beside, once);
                   });
}

}  // namespace Tegula::Impl

#endif
