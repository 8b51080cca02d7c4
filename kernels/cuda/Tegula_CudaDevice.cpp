// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaDevice.hpp"

#include <algorithm>

#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA

int device_of(const Kokkos::Cuda& exec) { return exec.cuda_device(); }
int concurrency_of(const Kokkos::Cuda& exec) { return exec.concurrency(); }

const CudaDevice& cuda_device(const Kokkos::Cuda& exec) {
  static DeviceFacts<CudaDevice> devices;
  return devices.of(exec.cuda_device(), [](int device) {
    const auto attribute = [&](cudaDeviceAttr what) {
      int value = 0;
      check_cuda(cudaDeviceGetAttribute(&value, what, device), "cudaDeviceGetAttribute");
      return value;
    };
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    const int major = attribute(cudaDevAttrComputeCapabilityMajor);
    return CudaDevice{major,
                      10 * major + attribute(cudaDevAttrComputeCapabilityMinor),
                      attribute(cudaDevAttrMultiProcessorCount),
                      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)),
                      properties.totalGlobalMem,
                      properties.name};
  });
}

std::size_t cuda_scratch(const Kokkos::Cuda& exec) {
#if TEGULA_CUDA_ENTRY
  return cuda_device(exec).opt_in_scratch;
#else
  constexpr std::size_t unasked = 48 * 1024, kept = 8 * 1024;  // kept for the largest team
  const bool asks = Kokkos::TeamPolicy<Kokkos::Cuda>::scratch_size_max(0) > int(unasked);
  return std::min(asks ? exec.cuda_device_prop().sharedMemPerBlockOptin : unasked, cuda_device(exec).opt_in_scratch) -
         kept;
#endif
}

#endif

}  // namespace Tegula::Impl
