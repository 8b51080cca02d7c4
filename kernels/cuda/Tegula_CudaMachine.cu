// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaMachine.hpp"

#include "Tegula_CudaDevice.hpp"
#include "Tegula_CudaSelfCheck.hpp"
#include "portable/Tegula_PortableMachineOf.hpp"

namespace Tegula::Impl {

const CudaMachine& cuda_machine(const Kokkos::Cuda& exec) {
  static DeviceFacts<CudaMachine> machines;
  return machines.of(exec.cuda_device(), [&](int) {
    const CudaDevice& device = cuda_device(exec);
    const bool has_kernels   = device.major >= 8;
    return CudaMachine{device.multiprocessors, cuda_scratch(exec),
                       device.major,           has_kernels && cuda_facts(exec).functors_stay_parameters,
                       portable_machine(exec), &cuda_rates(device.capability, device.name)};
  });
}

}  // namespace Tegula::Impl
