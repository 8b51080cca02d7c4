// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RELAXED_CAPTURE_HPP
#define TEGULA_RELAXED_CAPTURE_HPP

#include "Tegula_CudaDevice.hpp"

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA
/// While it lives, this thread may allocate and wait although one of its streams is captured.
class RelaxedCapture {
 public:
  RelaxedCapture() { check_cuda(cudaThreadExchangeStreamCaptureMode(&mode_), "cudaThreadExchangeStreamCaptureMode"); }
  ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  RelaxedCapture(const RelaxedCapture&)            = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};
#endif

}  // namespace Tegula::Impl

#endif
