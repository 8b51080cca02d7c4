// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_RELU_CUH
#define TEGULA_PTX_RELU_CUH

#include "Tegula_Activation.hpp"

namespace Tegula::Impl::ptx {

/// Relu in one instruction, where there is one: of compute capability 8.0 on a maximum keeps NaN, and is +0 of -0.
__device__ inline float relu(float z) {
  float y;
  asm("max.NaN.f32 %0, %1, 0f00000000;" : "=f"(y) : "f"(z));
  return y;
}
__device__ inline double relu(double z) { return Relu()(z); }

}  // namespace Tegula::Impl::ptx

#endif
