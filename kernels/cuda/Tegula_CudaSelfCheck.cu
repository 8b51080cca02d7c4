// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaSelfCheck.hpp"

#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <string>

#include "Tegula_CudaDevice.hpp"
#include "Tegula_LaunchKernel.cuh"
#include "Tegula_RelaxedCapture.hpp"
#include "ptx/Tegula_PtxAddress.cuh"

namespace Tegula::Impl {
namespace {

/// What the probe saw on the device.
struct Seen {
  unsigned long long view_bytes, rows, columns;
  const void* data;
  bool copied;
};

struct Probe {
  using teams = CudaTeams<32, 1>;

  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::CudaSpace> view;
  Seen* seen;
  char ballast[1024];  // makes the functor as large as a real kernel's

  __device__ void operator()(const teams::member& team) const {
    if (team.team_rank() != 0) return;
    *seen = {sizeof(view), view.extent(0), view.extent(1), view.data(), ptx::is_local(ballast)};
  }
};

void check(cudaError_t error) { check_cuda(error, "CUDA self-check"); }

/// Makes another device the current one of this thread while it lives.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    check(cudaGetDevice(&before_));
    check(cudaSetDevice(device));
  }
  ~CurrentDevice() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

Seen probe(Probe functor) {
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaMalloc(&functor.seen, sizeof(Seen)));
  Seen seen{};
  {
    const Kokkos::Cuda exec(stream);
    launch_kernel(exec, KernelLabel("Tegula::self_check"), 1, functor);
    check(cudaMemcpyAsync(&seen, functor.seen, sizeof(Seen), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
  }
  check(cudaFree(functor.seen));
  check(cudaStreamDestroy(stream));
  return seen;
}

CudaFacts find_out(int device) {
  const CurrentDevice current(device);
  const RelaxedCapture relaxed;
  int element = 0;  // its address only; nothing is stored there
  const Probe functor{Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::CudaSpace>(&element, 5, 7), nullptr, {}};
  const Seen seen = probe(functor);
  if (seen.view_bytes != sizeof(functor.view) || seen.rows != 5 || seen.columns != 7 || seen.data != &element) {
    throw std::runtime_error("Tegula: a Kokkos::View of " + std::to_string(sizeof(functor.view)) +
                             " bytes on the host, 5 x 7, is " + std::to_string(seen.view_bytes) + " bytes and " +
                             std::to_string(seen.rows) + " x " + std::to_string(seen.columns) +
                             " on the device: this Kokkos and this nvcc do not fit together (Kokkos 4.6 and 4.7 want "
                             "Kokkos_ENABLE_IMPL_VIEW_LEGACY=ON with CUDA 13)");
  }
  return {!seen.copied};
}

}  // namespace

const CudaFacts& cuda_facts(const Kokkos::Cuda& exec) {
  static DeviceFacts<CudaFacts> facts;
  return facts.of(exec.cuda_device(), find_out);
}

}  // namespace Tegula::Impl
