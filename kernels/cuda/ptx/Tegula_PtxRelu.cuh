// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_RELU_CUH
#define TEGULA_PTX_RELU_CUH

#include "Tegula_Activation.hpp"

namespace Tegula::Impl::ptx {

/// "max.NaN": the larger of two, or NaN if one is. +0 is larger than -0. Compute capability 8.0 and newer.
__device__ inline float max_or_nan(float a, float b) {
  float larger;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
  return larger;
}

/// Relu in one instruction, where there is one: of compute capability 8.0 on a maximum keeps NaN, and is +0 of -0.
__device__ inline float relu(float z) {
  float y;
  asm("max.NaN.f32 %0, %1, 0f00000000;" : "=f"(y) : "f"(z));
  return y;
}
__device__ inline double relu(double z) { return Relu()(z); }

}  // namespace Tegula::Impl::ptx

#endif
