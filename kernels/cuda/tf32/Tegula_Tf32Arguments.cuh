// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_ARGUMENTS_CUH
#define TEGULA_TF32_ARGUMENTS_CUH

#include "../Tegula_VectorResult.hpp"
#include "../wgmma/Tegula_WgmmaArguments.cuh"

/// Arguments of the kernels of the tf32 family.

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
  CUtensorMap left, right, C;
  WgmmaFetch left_fetch, right_fetch;
  Tf32Tiles tiles;
  VectorResult<float> result;
  bool by_columns;  // the rows of the result are columns of the kernel's tiles
  bool by_tma;      // TMA stores the result; the epilogue is alpha sum + bias, with or without relu
};

struct Tf32Arguments {
  using turns = WgmmaTurns<1>;
  Tf32Product products[1];
  WgmmaShares shares;
};

}  // namespace Tegula::Impl

#endif
