// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_INDEX_KERNEL_HPP
#define TEGULA_INDEX_KERNEL_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace Tegula::Training {

/// A kernel whose threads are known by an index alone: kernel(i) for i from 0 to kernel.size() - 1. Queues it on exec.
template <class ExecutionSpace, class Kernel>
void queue_kernel(const ExecutionSpace& exec, const char* label, const Kernel& kernel) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(exec, 0, kernel.size()), kernel);
}

}  // namespace Tegula::Training

#endif
