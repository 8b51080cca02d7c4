// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_ARGUMENTS_CUH
#define TEGULA_WGMMA_ARGUMENTS_CUH

#include <cuda.h>

#include "../Tegula_ColumnSums.hpp"
#include "../Tegula_CudaOutput.hpp"
#include "../Tegula_CudaTiles.hpp"
#include "../ptx/Tegula_Major.hpp"
#include "Tegula_WgmmaTurns.hpp"

/// Arguments of the kernels of the wgmma family.

namespace Tegula::Impl {

/// What a kernel does with sums. TMA stores aligned results, in boxes of 64 x 64.
template <class Activation = ActivationChoice>
struct WgmmaEpilogueParameters {
  static constexpr bool is_own = !std::is_same_v<Activation, ActivationChoice>;  // a user's

  std::int32_t m, n;
  CudaOutput C, Z;
  AnyMatrix bias;
  Activation activation;
  float alpha, beta;
  float* partial_sums;  // with split-k, slices of m x n sums, and nothing else is done; else null

  /// Whether the epilogue is alpha sum + bias, with or without relu or with a user's activation, and TMA stores the
  /// result.
  __host__ __device__ bool is_plain() const {
    return partial_sums == nullptr && C.is_by_runs() && Z.by == StoreBy::nobody && beta == 0 &&
           (is_own || is_activation<Identity>(activation) || is_activation<Relu>(activation));
  }
};

/// How an operand is fetched.
struct WgmmaFetch {
  Major major        = Major::depth;
  std::int32_t bytes = 0;  // of a stage
};

/// One product of a call.
template <class Activation = ActivationChoice>
struct WgmmaProduct {
  CUtensorMap left, right, C, Z;
  WgmmaFetch left_fetch, right_fetch;
  CudaTiles tiles;
  WgmmaEpilogueParameters<Activation> epilogue;
};

/// The products of a kernel, the one with the longer work items first, and column sums to be added meanwhile.
template <int Products, class Activation>
struct WgmmaArguments {
  static_assert(Products == 1 || Products == 2);
  using turns = WgmmaTurns<Products>;
  WgmmaProduct<Activation> products[Products];
  WgmmaShares shares;
  ColumnSums column_sums;
  bool is_cut;  // k, of a product: its slices are added behind the kernel
};

}  // namespace Tegula::Impl

#endif
