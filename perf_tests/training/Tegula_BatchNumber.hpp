// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_BATCH_NUMBER_HPP
#define TEGULA_BATCH_NUMBER_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace Tegula::Training {

/// Which batch of an epoch a step is about. The number lies in the memory of the device and its kernels count, so that
/// what a step does is the same whichever batch it is about, and can be repeated as it is.
///
/// Threads of a kernel run in any order, so that none may change a number that others of its kernel read. Hence there
/// are two: the kernel of the loss reads `current` and sets `next`; the one that gathers the next batch reads `next`
/// and makes it the current one. From the loss to the end of a step, `next` is the number of the next batch.
template <class MemorySpace>
struct BatchNumber {
  Kokkos::View<std::int32_t*, MemorySpace> numbers{"Tegula::batch_number", 2};

  KOKKOS_FUNCTION std::int32_t current() const { return numbers(0); }
  KOKKOS_FUNCTION std::int32_t next() const { return numbers(1); }
  KOKKOS_FUNCTION void set_next() const { numbers(1) = numbers(0) + 1; }
  KOKKOS_FUNCTION void take_next() const { numbers(0) = numbers(1); }

  /// Queues that batch 0 is the next one.
  template <class ExecutionSpace>
  void restart(const ExecutionSpace& exec) const {
    Kokkos::deep_copy(exec, numbers, 0);
  }
};

}  // namespace Tegula::Training

#endif
