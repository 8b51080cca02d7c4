// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PLANNING_DEVICE_HPP
#define TEGULA_PLANNING_DEVICE_HPP

#include "Tegula_KokkosCompat.hpp"
#include "Tegula_UseTuning.hpp"
#include "cuda/Tegula_CudaDevice.hpp"

/// The device of an execution space, as tuning files name it.

namespace Tegula::Impl {

/// Whether calls on a space have more than one way that files can name.
template <class ExecutionSpace>
inline constexpr bool is_tuned = has_cuda_families<ExecutionSpace> || is_done_at_return<ExecutionSpace>;

template <class ExecutionSpace>
PlanningDevice planning_device(const ExecutionSpace& exec) {
  if constexpr (has_cuda_families<ExecutionSpace>) {
    const auto& device        = cuda_device(exec);
    constexpr std::size_t gib = std::size_t(1) << 30;
    return {device.name.c_str(),
            ExecutionSpace::name(),
            "",
            0,
            device.multiprocessors,
            static_cast<int>((device.memory + gib / 2) / gib)};
  } else {
    return planning_host(ExecutionSpace::name(), static_cast<int>(exec.concurrency()));
  }
}

}  // namespace Tegula::Impl

#endif
