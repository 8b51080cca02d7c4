// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PAIRS_CUH
#define TEGULA_CUDA_PAIRS_CUH

#include "Tegula_CudaElement.cuh"
#include "ptx/Tegula_PtxRound.cuh"

/// Pairs of sums as elements of 16 bits, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Two sums as 16-bit elements in a register, in the order in which stmatrix takes them, with or without relu.
template <bool relu>
__device__ inline std::uint32_t rounded(Bf16, float first, float second) {
  return ptx::round_to_bf16<relu>(first, second);
}
template <bool relu>
__device__ inline std::uint32_t rounded(F16, float first, float second) {
  return ptx::round_to_f16<relu>(first, second);
}

/// Two neighbours of a row, the first of which lies at a multiple of the size of both.
__device__ inline void store_pair(const AnyMatrix& matrix, std::int64_t row, std::int64_t column, float first,
                                  float second) {
  const std::int64_t at = row * matrix.row_stride + column;
  if (matrix.element == Element::f32) {
    *reinterpret_cast<float2*>(static_cast<float*>(matrix.data) + at) = {first, second};
  } else {
    *reinterpret_cast<std::uint32_t*>(static_cast<std::uint16_t*>(matrix.data) + at) =
        matrix.element == Element::f16 ? ptx::round_to_f16<false>(first, second)
                                       : ptx::round_to_bf16<false>(first, second);
  }
}

}  // namespace Tegula::Impl

#endif
