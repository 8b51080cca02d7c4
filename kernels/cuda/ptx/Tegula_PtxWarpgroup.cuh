// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_WARPGROUP_CUH
#define TEGULA_PTX_WARPGROUP_CUH

#include <cstdint>

/// What a warpgroup does as a whole besides wgmma, how a warp stores matrices and elects a thread, and the end of one.
/// Sections are those of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "setmaxnreg.inc": waits until the warpgroup has this many registers a thread.
template <int Registers>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

/// "setmaxnreg.dec": releases all but this many registers a thread.
template <int Registers>
__device__ inline void leave_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}

/// "elect.sync": true for one lane of a warp, always the same, all of whose lanes call this. The compiler knows that it
/// is one: operands of TMA, which are a warp's, need no loop that finds out.
__device__ inline bool is_elected() {
  std::uint32_t elected;
  asm volatile(
      "{\n"
      ".reg .pred elected;\n"
      "elect.sync _|elected, 0xFFFFFFFF;\n"
      "selp.u32 %0, 1, 0, elected;\n"
      "}"
      : "=r"(elected));
  return elected != 0;
}

/// "exit": ends the thread. The compiler then knows that nothing follows.
[[noreturn]] __device__ inline void exit_thread() {
  asm volatile("exit;");
  __builtin_unreachable();
}

/// "stmatrix": four 8 x 8 matrices of 16-bit elements. Lane 8 q + r gives the address of row r of matrix q.
__device__ inline void store_matrices(std::uint32_t row, const std::uint32_t (&fragments)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(fragments[0]),
               "r"(fragments[1]), "r"(fragments[2]), "r"(fragments[3])
               : "memory");
}

/// "stmatrix.trans": the same, each matrix transposed.
__device__ inline void store_matrices_transposed(std::uint32_t row, const std::uint32_t (&fragments)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(fragments[0]),
               "r"(fragments[1]), "r"(fragments[2]), "r"(fragments[3])
               : "memory");
}

}  // namespace Tegula::Impl::ptx

#endif
