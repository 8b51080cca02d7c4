// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_ANEW_CUH
#define TEGULA_PTX_ANEW_CUH

namespace Tegula::Impl::ptx {

/// The same number. The compiler does not know that it is, so that it computes here what depends on it, and does not
/// keep in registers what it computed before.
__device__ inline int anew(int number) {
  asm volatile("" : "+r"(number));
  return number;
}

/// The same, in a register of the thread: it is not loaded again wherever it is needed.
__device__ inline float anew(float number) {
  asm volatile("" : "+f"(number));
  return number;
}

}  // namespace Tegula::Impl::ptx

#endif
