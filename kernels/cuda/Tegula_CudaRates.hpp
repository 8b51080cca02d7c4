// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_RATES_HPP
#define TEGULA_CUDA_RATES_HPP

namespace Tegula::Impl {

/// What the planner knows of an architecture's speed. All devices of an architecture share one record, so that the
/// ranks of a job plan alike. Nothing here needs Kokkos.
struct CudaRates {
  int capability;      // 90: compute capability 9.0
  const char* source;  // of the numbers
  bool is_measured;    // on such a device; otherwise they are from data sheets
  double clock;        // cycles a second

  // Multiply-adds a cycle of a multiprocessor: by wgmma of 16 bits and of TF32, by mma.sync of 16 bits, by mma.sync of
  // double, by fused multiply-adds of float.
  double wgmma_half, wgmma_tf32, mma_half, mma_double, fma_float;

  double memory;  // bytes a second
  double cache;   // bytes a second, out of the cache that all multiprocessors share
  double kernel;  // seconds that a kernel takes that has nothing to do, behind another one in a graph
};

/// The record of the newest architecture that is not newer than this compute capability.
const CudaRates& cuda_rates(int capability);

}  // namespace Tegula::Impl

#endif
