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

/// Two such kernels, neither of which needs anything of the other, as one: a short step of training takes little more
/// than what its kernels wait for each other.
template <class First, class Second>
struct SideBySide {
  First first;
  Second second;

  KOKKOS_FUNCTION std::int64_t size() const { return first.size() + second.size(); }

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (i < first.size()) {
      first(i);
    } else {
      second(i - first.size());
    }
  }
};
template <class First, class Second>
SideBySide(First, Second) -> SideBySide<First, Second>;

}  // namespace Tegula::Training

#endif
