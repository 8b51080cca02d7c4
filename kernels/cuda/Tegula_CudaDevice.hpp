// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_DEVICE_HPP
#define TEGULA_CUDA_DEVICE_HPP

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "Tegula_KokkosCompat.hpp"

/// The device of an execution space instance. A process may use several devices; Kokkos' own properties describe its
/// default one.

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA

inline void check_cuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // an error that is told must not be found by who asks next
  throw std::runtime_error(std::string("Tegula: ") + what + ": " + cudaGetErrorString(error));
}

/// Makes the instance's device the current one of this thread, as Kokkos does when it launches. The driver encodes
/// tensor maps for the current device only.
inline void make_current(const Kokkos::Cuda& exec) { check_cuda(cudaSetDevice(exec.cuda_device()), "cudaSetDevice"); }

/// Facts of each device, found out when they are first asked for. An attempt that throws is made again.
template <class Facts>
class DeviceFacts {
 public:
  /// find_out(device) returns the facts.
  template <class FindOut>
  const Facts& of(int device, const FindOut& find_out) {
    Slot& slot = slots_[device];
    std::call_once(slot.once, [&] { slot.facts = find_out(device); });
    return slot.facts;
  }

 private:
  struct Slot {
    std::once_flag once;
    Facts facts;
  };

  static int count() {
    int devices = 0;
    check_cuda(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    return devices;
  }

  std::unique_ptr<Slot[]> slots_ = std::make_unique<Slot[]>(static_cast<std::size_t>(count()));
};

/// What the driver says of a device.
struct CudaDevice {
  int major;       // of the compute capability
  int capability;  // 90: compute capability 9.0
  int multiprocessors;
  std::size_t opt_in_scratch;  // most shared memory of a block, bytes
  std::string name;
};

inline const CudaDevice& cuda_device(const Kokkos::Cuda& exec) {
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
    return CudaDevice{major, 10 * major + attribute(cudaDevAttrComputeCapabilityMinor),
                      attribute(cudaDevAttrMultiProcessorCount),
                      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)), properties.name};
  });
}

/// Bytes of scratch that a team of Tegula's kernels can have on the instance's device: all that the device has, by
/// Tegula's own kernel entry. As a TeamPolicy they are what Kokkos' default device allows, or this one if that is less,
/// without a few that Kokkos keeps; before Kokkos 5.2 it allows the 48 KiB that a kernel has without asking for more.
inline std::size_t cuda_scratch(const Kokkos::Cuda& exec) {
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

#endif
