// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_MACHINE_OF_HPP
#define TEGULA_PORTABLE_MACHINE_OF_HPP

#include "Tegula_KokkosCompat.hpp"
#include "Tegula_PortableLayout.hpp"
#include "Tegula_PortableMachine.hpp"
#include "cuda/Tegula_CudaDevice.hpp"

namespace Tegula::Impl {

/// The tiles that the portable family has on an execution space.
template <class ExecutionSpace, class Accumulator>
inline constexpr auto& portable_tiles = portable_choices<is_host_space<ExecutionSpace>, Accumulator>;

/// The machine that an execution space instance runs on.
template <class ExecutionSpace>
PortableMachine portable_machine(const ExecutionSpace& exec) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  PortableMachine machine{
      is_host_space<ExecutionSpace>,
      exec.concurrency(),
      {static_cast<std::size_t>(Policy::scratch_size_max(0)), static_cast<std::size_t>(Policy::scratch_size_max(1))}};
  const auto know = [&](int multiprocessors, std::size_t shared) {
    machine.units          = multiprocessors;
    machine.scratch_max[0] = scratch_of_device(machine.scratch_max[0], shared);
  };
  if constexpr (requires { exec.cuda_device_prop(); }) {
    know(cuda_device(exec).multiprocessors, cuda_scratch(exec));
  } else if constexpr (requires { exec.hip_device_prop(); }) {
    know(exec.hip_device_prop().multiProcessorCount, exec.hip_device_prop().sharedMemPerBlock);
    machine.rates = portable_rates(exec.hip_device_prop().gcnArchName);
#ifdef KOKKOS_ENABLE_SYCL
  } else if constexpr (requires { exec.sycl_queue(); }) {
    const auto device = exec.sycl_queue().get_device();
    machine.units     = device.template get_info<sycl::info::device::max_compute_units>();
    machine.rates     = portable_rates(device.template get_info<sycl::info::device::name>());
#endif
  } else if constexpr (!is_host_space<ExecutionSpace>) {
    machine.units = multiprocessors_of(machine.units);
  }
  return machine;
}

}  // namespace Tegula::Impl

#endif
