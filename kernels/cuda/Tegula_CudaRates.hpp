// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_RATES_HPP
#define TEGULA_CUDA_RATES_HPP

#include <span>
#include <string>
#include <string_view>

namespace Tegula::Impl {

/// What the planner knows of the speed of a GPU of NVIDIA: the record of an architecture, or of a card of it whose
/// memory or clock is another. All devices of one name share a record, so that the ranks of a job plan alike. Nothing
/// here needs Kokkos.
struct CudaRates {
  int capability;      // 90: compute capability 9.0
  std::string name;    // words that the names of such devices have
  std::string source;  // of the numbers: measured on such a device, or not

  int multiprocessors;  // of such a device, for plans that are made without one
  int team_scratch;     // bytes, likewise
  double clock;         // cycles a second

  // Multiply-adds a cycle of a multiprocessor: by wgmma of 16 bits and of TF32; by mma.sync of 16 bits and of double;
  // by fused multiply-adds of float and of double. 0: it has no such instruction.
  double wgmma_half, wgmma_tf32, mma_half, mma_double, fma_float, fma_double;

  double memory;  // bytes a second
  double cache;   // bytes a second, out of the cache that all multiprocessors share
  double kernel;  // seconds that a kernel takes that has nothing to do, behind another one in a graph
};

/// All records that the library has.
std::span<const CudaRates> all_cuda_rates();

/// The record of a device: among those of the newest architecture that is not newer than this compute capability the
/// one whose name has most words, all of them in the device's, which cudaDeviceProp::name is; the first if there is
/// none.
const CudaRates& cuda_rates(int capability, std::string_view device = "");

/// The record for the name of a card whose compute capability is not known; null if there is none.
const CudaRates* cuda_rates_of_card(std::string_view card);

}  // namespace Tegula::Impl

#endif
