// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_APPROXIMATE_CUH
#define TEGULA_PTX_APPROXIMATE_CUH

/// Approximate functions of float, an instruction each. Errors and sections are those of NVIDIA's PTX ISA manual 8.x.
/// NaN stays NaN, denormal numbers are 0.

namespace Tegula::Impl::ptx {

/// "ex2.approx": 2^x, within 2 ulp.
__device__ inline float power_of_two(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// "rcp.approx": 1 / x, within 1 ulp.
__device__ inline float reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// "tanh.approx": within 2^-11 of the value.
__device__ inline float tanh(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

}  // namespace Tegula::Impl::ptx

#endif
