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

/// What an epilogue is made of. Known to the compiler, it keeps kernels short, whose instructions every launch fetches
/// anew, and every tile from far where there are many. `plain`: TMA stores alpha sum + bias, with or without relu.
/// `runs`: the same with any activation and the argument of it on request.
/// `any`: whatever there is, where a C is read, results are not aligned, or k is cut.
enum class WgmmaEpilogueKind { plain, runs, any };

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

  TEGULA_HOST_DEVICE WgmmaEpilogueKind kind() const {
    const bool has_Z = Z.by != StoreBy::nobody;
    if (partial_sums != nullptr || beta != 0 || !C.is_by_runs() || (has_Z && !Z.is_by_runs()))
      return WgmmaEpilogueKind::any;
    const bool is_simple = !is_own && (is_activation<Identity>(activation) || is_activation<Relu>(activation));
    return is_simple && !has_Z ? WgmmaEpilogueKind::plain : WgmmaEpilogueKind::runs;
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

/// The rows of a tile that one of its teams computes.
template <class Config>
__device__ inline CudaWork part_of(CudaWork work, int part) {
  if constexpr (Config::tile_teams > 1) work.row += part * Config::tile_m;
  return work;
}

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
