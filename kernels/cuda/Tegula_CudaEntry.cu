// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaEntry.hpp"

#include <algorithm>
#include <array>

#include "Tegula_CudaDevice.hpp"
#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {
namespace {

void check_launch(cudaError_t error, const KernelLabel& label) {
  if (error != cudaSuccess) check_cuda(error, ("launch of " + label.text()).c_str());
}

/// Tells Kokkos' tools, while it lives, of a parallel_for.
class ToldToTools {
 public:
  ToldToTools(const Kokkos::Cuda& exec, const KernelLabel& label) {
    if (is_told_) Kokkos::Tools::beginParallelFor(label.text(), Kokkos::Tools::Experimental::device_id(exec), &kernel_);
  }
  ~ToldToTools() {
    if (is_told_) Kokkos::Tools::endParallelFor(kernel_);
  }
  ToldToTools(const ToldToTools&)            = delete;
  ToldToTools& operator=(const ToldToTools&) = delete;

 private:
  const bool is_told_   = Kokkos::Tools::profileLibraryLoaded();
  std::uint64_t kernel_ = 0;
};

/// Whether kernels on the instance's device may begin before the one in front of them has ended: also in graphs, whose
/// edges can tell that since CUDA 12.3.
bool kernels_can_begin_early([[maybe_unused]] const Kokkos::Cuda& exec) {
#if CUDART_VERSION >= 12030
  static const bool driver_can = [] {
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess && version >= 12030;
  }();
  return driver_can && cuda_device(exec).major >= 9;
#else
  return false;
#endif
}

}  // namespace

// How much of a multiprocessor's memory is scratch is left to the driver: it gives what the teams want that fit there
// otherwise (CUDA's Volta tuning guide, "Unified Shared Memory/L1/Texture Cache"). Kokkos does not ask either.
void make_ready(const Kokkos::Cuda& exec, const CudaEntry& entry, const KernelLabel& label) {
  cudaFuncAttributes function{};
  check_launch(cudaFuncGetAttributes(&function, entry.function), label);
  const int most = static_cast<int>(cuda_device(exec).opt_in_scratch - function.sharedSizeBytes);
  // Teams that want more than there is are refused here, before anything is queued.
  check_launch(cudaFuncSetAttribute(entry.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    std::max(entry.scratch_bytes, most)),
               label);
}

void launch_entry(const Kokkos::Cuda& exec, const KernelLabel& label, const CudaEntry& entry, const CudaGrid& grid,
                  const void* argument) {
  const ToldToTools told(exec, label);
  if (grid.blocks == 0) return;
  void* arguments[] = {const_cast<void*>(argument)};
  std::array<cudaLaunchAttribute, 2> attributes{};
  unsigned count = 0;
  if (grid.cluster > 1) {
    cudaLaunchAttribute& cluster = attributes[count++];
    cluster.id                   = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x     = static_cast<unsigned>(grid.cluster);
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  }
  if (grid.begins_early && kernels_can_begin_early(exec)) {
    cudaLaunchAttribute& early                       = attributes[count++];
    early.id                                         = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t launch{};
  launch.gridDim          = dim3(grid.blocks);
  launch.blockDim         = dim3(1, static_cast<unsigned>(entry.threads));
  launch.dynamicSmemBytes = std::max(static_cast<std::size_t>(entry.scratch_bytes), grid.scratch_bytes);
  launch.stream           = exec.cuda_stream();
  launch.attrs            = attributes.data();
  launch.numAttrs         = count;
  check_launch(cudaLaunchKernelExC(&launch, entry.function, arguments), label);
}

}  // namespace Tegula::Impl
