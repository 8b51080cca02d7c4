// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_ARGUMENTS_CUH
#define TEGULA_WGMMA_ARGUMENTS_CUH

#include <cuda.h>

#include <algorithm>

#include "../Tegula_ColumnSums.hpp"
#include "../Tegula_CudaOutput.hpp"
#include "../Tegula_CudaTiles.hpp"
#include "../ptx/Tegula_Major.hpp"
#include "Tegula_WgmmaTurns.hpp"

/// Arguments of the kernels of the wgmma family.

namespace Tegula::Impl {

/// What an epilogue is made of. Known to the compiler, it keeps kernels short, whose instructions every launch fetches
/// anew, and every tile from far where there are many; and lets it write down a whole tile without a question, in half
/// the time of a loop that asks in every block. What is `of_sums` or `slopes` has no kernels of its own: those for
/// `runs` have it, and whatever comes before. Two products share a kernel for `plain`, `floats`, `runs` or `any`.
enum class WgmmaEpilogueKind {
  plain,    // TMA stores alpha sum + bias in 16 bits, with or without relu
  gates,    // act of that in 16 bits, perhaps behind its argument, where act is z times a logistic function
  curves,   // the same where act is another that is not plain
  floats,   // as plain, in float
  of_sums,  // what is left that depends on sums and bias alone: a user's activation, or the argument of relu
  adds,     // as plain, behind beta C, which TMA fetches
  slopes,   // alpha sum act'(saved) in 16 bits, TMA fetching what a layer below saved; and sums of columns
  runs,     // whatever TMA fetches and stores; and slices, where k is cut
  any       // whatever there is, where a matrix is not aligned
};

/// Whether a kernel for this kind may be given tiles that are cut along k, and floats among others.
template <WgmmaEpilogueKind kind>
inline constexpr bool takes_all_runs = kind >= WgmmaEpilogueKind::runs;

/// Whether it may be given something to fetch.
template <WgmmaEpilogueKind kind>
inline constexpr bool takes_fetched = takes_all_runs<kind> || kind == WgmmaEpilogueKind::adds;

/// The activations of `gates` and of `curves`.
using WgmmaGates  = ActivationList<GeluTanh, Silu>;
using WgmmaCurves = ActivationList<Tanh, Sigmoid, GeluErf, LeakyRelu>;

/// Those of `curves` that are written down for a whole tile where consumers take turns. The instructions of erf are
/// more than those of any other: beside another tile's multiplication they come too slowly, and a loop over blocks is 2
/// to 11 % faster (sums of 768 to 4096, H200). With fewer instructions it is slower.
using WgmmaShortCurves = ActivationList<Tanh, Sigmoid, LeakyRelu>;

/// What a kernel does with sums.
template <class Activation = ActivationChoice>
struct WgmmaEpilogueParameters {
  static constexpr bool is_own = !std::is_same_v<Activation, ActivationChoice>;  // a user's

  std::int32_t m, n;
  CudaOutput C, Z;
  AnyMatrix bias;
  Activation activation;
  float alpha, beta;
  // With split-k, slices of the sums of the last rows, or columns, of the result, with which nothing else is done; else
  // null. They are all of it unless some tiles are whole.
  float* partial_sums     = nullptr;
  std::int32_t slice_rows = 0, slice_columns = 0;
  bool has_whole_tiles = true;
  // Of elements as large as those of C, in the buffers of which it is fetched: C, where beta is not 0, or, where slope
  // is not one, what the layer below saved.
  CudaOutput fetched{};
  OutputSlope<float> slope{};
  float* column_sums       = nullptr;  // of what is stored; null: not wanted
  bool is_transposed       = false;    // the result is; bias then lies along rows, and slices along columns
  WgmmaEpilogueKind needed = WgmmaEpilogueKind::any;  // by tiles that are not cut: whole_kind()

  TEGULA_HOST_DEVICE bool fetches() const { return fetched.by != StoreBy::nobody; }

  /// Whether a work item's sums are a slice of those of its tile.
  TEGULA_HOST_DEVICE bool is_slice(const CudaWork& work) const {
    return partial_sums != nullptr && work.split != CudaWork::whole;
  }

  /// What all work items need.
  WgmmaEpilogueKind kind() const {
    if (partial_sums == nullptr) return whole_kind();
    return has_whole_tiles ? std::max(whole_kind(), WgmmaEpilogueKind::runs) : WgmmaEpilogueKind::runs;
  }

  /// What a tile needs that is not cut.
  WgmmaEpilogueKind whole_kind() const {
    using enum WgmmaEpilogueKind;
    const bool has_Z = Z.by != StoreBy::nobody, has_16_bits = element_bytes(C.matrix.element) == 2;
    if ((beta != 0 && !fetches()) || !C.is_by_runs() || (has_Z && !Z.is_by_runs())) return any;
    if constexpr (is_own) {
      return fetches() || column_sums != nullptr ? runs : of_sums;
    } else {
      const bool is_simple = is_activation<Identity>(activation) || is_activation<Relu>(activation);
      if (!slope.is_one) return has_16_bits ? slopes : runs;
      if (column_sums != nullptr) return runs;
      if (fetches()) return is_simple && has_16_bits ? adds : runs;
      if (is_simple) return has_Z ? of_sums : has_16_bits ? plain : floats;
      if (!has_16_bits) return runs;
      return is_one_of(WgmmaGates(), activation) ? gates : curves;
    }
  }
};

/// Lets the sums of a product that is cut along k go to slices.
template <class Activation>
void leave_slices(WgmmaEpilogueParameters<Activation>& epilogue, const ProductPlan& product, float* partial_sums) {
  if (product.split_k == 1) return;
  const GemmShape cut      = product.cut_shape();
  epilogue.partial_sums    = partial_sums;
  epilogue.slice_rows      = static_cast<std::int32_t>(cut.m);
  epilogue.slice_columns   = static_cast<std::int32_t>(cut.n);
  epilogue.has_whole_tiles = product.whole_waves > 0;
}

/// How an operand is fetched.
struct WgmmaFetch {
  Major major        = Major::depth;
  std::int32_t bytes = 0;      // of a stage
  bool is_crowded    = false;  // a step lies in a few lines of the cache, which all teams ask for
};

/// The tensor maps of what TMA stores, and of what the layer below saved.
struct WgmmaResultMaps {
  CUtensorMap C, Z, saved;
};

/// One product of a call.
template <class Activation = ActivationChoice>
struct WgmmaProduct {
  CUtensorMap left, right;
  WgmmaResultMaps results;
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
  bool is_followed;  // by kernels that add sums, or finish results (ProductPlan)
};

}  // namespace Tegula::Impl

#endif
