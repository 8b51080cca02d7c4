// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_DEVICE_HPP
#define TEGULA_CUDA_DEVICE_HPP

#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "Tegula_CudaSpace.hpp"
#include "Tegula_KokkosBasics.hpp"

/// The device of an execution space instance. A process may use several devices; Kokkos' own properties describe its
/// default one.

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA

inline void check_cuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // an error that is told must not be found by who asks next
  throw std::runtime_error(std::string("Tegula: ") + what + ": " + cudaGetErrorString(error));
}

/// The number of the instance's device, and how many threads run there at a time.
int device_of(const Kokkos::Cuda& exec);
int concurrency_of(const Kokkos::Cuda& exec);

/// Makes it the current one of this thread, as Kokkos does when it launches. The driver encodes tensor maps for the
/// current device only.
inline void make_current(const Kokkos::Cuda& exec) { check_cuda(cudaSetDevice(device_of(exec)), "cudaSetDevice"); }

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
  std::size_t memory;          // bytes
  std::string name;
};

const CudaDevice& cuda_device(const Kokkos::Cuda& exec);

/// Bytes of scratch that a team of Tegula's kernels can have on the instance's device: all that the device has, by
/// Tegula's own kernel entry. As a TeamPolicy they are what Kokkos' default device allows, or this one if that is less,
/// without a few that Kokkos keeps; before Kokkos 5.2 it allows the 48 KiB that a kernel has without asking for more.
std::size_t cuda_scratch(const Kokkos::Cuda& exec);

#endif

}  // namespace Tegula::Impl

#endif
