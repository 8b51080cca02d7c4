// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_ARGUMENTS_CUH
#define TEGULA_TF32_ARGUMENTS_CUH

#include "../wgmma/Tegula_WgmmaArguments.cuh"
#include "../wgmma/Tegula_WgmmaFloatOutput.cuh"

/// Arguments of the kernels of the tf32 and tf32x3 families.

namespace Tegula::Impl {

/// The tiles of a product as the kernel sees them. If it computes the transpose, rows are columns.
struct Tf32Tiles {
  CudaTiles tiles;
  bool transposed;

  __device__ CudaWork operator()(std::uint32_t number) const {
    CudaWork work          = tiles(number);
    const std::int32_t row = work.row;
    if (transposed) work.row = work.column, work.column = row;
    return work;
  }
};

struct Tf32Product {
  CUtensorMap left, right;
  WgmmaFetch left_fetch, right_fetch;
  Tf32Tiles tiles;
  WgmmaFloatOutput output;
  MatrixRef<const float> operands[2];  // which tf32x3 reads where sums are Inf or NaN
};

struct Tf32Arguments {
  using turns = WgmmaTurns<1>;
  Tf32Product products[1];
  WgmmaShares shares;
};

}  // namespace Tegula::Impl

#endif
