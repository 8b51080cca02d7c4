// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaMemory.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "Tegula_CudaDevice.hpp"
#include "Tegula_KeptMemory.hpp"
#include "Tegula_RelaxedCapture.hpp"

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA

namespace {

struct DestroyPool {
  // Memory whose return is still queued goes when it is back.
  void operator()(cudaMemPool_t pool) const { cudaMemPoolDestroy(pool); }
};
using Pool  = std::unique_ptr<std::remove_pointer_t<cudaMemPool_t>, DestroyPool>;
using Pools = DeviceFacts<Pool>;

/// A pool that gives nothing back to the system, which would cost a call as much as cudaMalloc. As in every pool,
/// memory that one stream gave back goes to another when it is free by then; the other waits for it only if there is no
/// more memory.
Pool make_pool(int device) {
  int has_pools = 0;
  check_cuda(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device), "cudaDeviceGetAttribute");
  if (has_pools == 0) return nullptr;
  const RelaxedCapture relaxed;
  cudaMemPoolProps properties{};
  properties.allocType     = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id   = device;
  cudaMemPool_t made       = nullptr;
  check_cuda(cudaMemPoolCreate(&made, &properties), "cudaMemPoolCreate");
  Pool pool(made);
  std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  check_cuda(cudaMemPoolSetAttribute(made, cudaMemPoolAttrReleaseThreshold, &all), "cudaMemPoolSetAttribute");
  return pool;
}

/// Null when Kokkos has ended them. No static object: Kokkos may end after those of this library.
Pools*& kept_pools() {
  static Pools* pools = [] {
    release_when_kokkos_ends([] { delete std::exchange(kept_pools(), nullptr); });
    return new Pools;
  }();
  return pools;
}

Kokkos::Tools::SpaceHandle space_handle() { return Kokkos::Tools::make_space_handle(Kokkos::CudaSpace::name()); }

}  // namespace

cudaMemPool_t CudaMemory::pool(const Kokkos::Cuda& exec) {
  make_current(exec);
  Pools* const pools = kept_pools();
  return pools == nullptr ? nullptr : pools->of(exec.cuda_device(), make_pool).get();
}

CudaMemory::CudaMemory(const Kokkos::Cuda& exec, cudaMemPool_t pool, const char* call, std::size_t bytes)
    : stream_(exec.cuda_stream()), bytes_(bytes) {
  const cudaError_t error = cudaMallocFromPoolAsync(&data_, bytes, pool, stream_);
  if (error != cudaSuccess) cudaGetLastError();  // or a later kernel would be blamed
  if (error == cudaErrorMemoryAllocation) fail_without_memory(call, workspace_memory, bytes, cudaGetErrorString(error));
  check_cuda(error, "cudaMallocFromPoolAsync");
  if (Kokkos::Tools::profileLibraryLoaded())
    Kokkos::Tools::allocateData(space_handle(), workspace_memory.label, data_, bytes);
}

CudaMemory::~CudaMemory() {
  if (Kokkos::Tools::profileLibraryLoaded())
    Kokkos::Tools::deallocateData(space_handle(), workspace_memory.label, data_, bytes_);
  // An error is one of earlier work, and will be found where its results are waited for.
  cudaFreeAsync(data_, stream_);
}

#endif

}  // namespace Tegula::Impl
