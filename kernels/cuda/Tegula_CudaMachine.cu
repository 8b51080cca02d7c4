// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaMachine.hpp"

#include "Tegula_CudaDevice.hpp"
#include "Tegula_CudaSelfCheck.hpp"
#include "Tegula_UseMachine.hpp"
#include "portable/Tegula_PortableMachineOf.hpp"

namespace Tegula::Impl {

CudaMachine cuda_machine(const Kokkos::Cuda& exec) {
  static DeviceFacts<CudaMachine> machines;
  const CudaDevice& device = cuda_device(exec);
  CudaMachine machine      = machines.of(exec.cuda_device(), [&](int) {
    const bool has_kernels = device.major >= 8;
    return CudaMachine{device.multiprocessors, cuda_scratch(exec), device.major,
                       has_kernels && cuda_facts(exec).functors_stay_parameters, portable_machine(exec)};
  });
  machine.has_entry        = TEGULA_CUDA_ENTRY;
  machine.rates            = &cuda_rates_in_use(device.capability, device.name);
  return machine;
}

}  // namespace Tegula::Impl
