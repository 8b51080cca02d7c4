// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_LAUNCH_CUH
#define TEGULA_WGMMA_LAUNCH_CUH

#include <algorithm>
#include <stdexcept>

#include "../Tegula_TensorMap.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_WgmmaKernel.cuh"
#include "Tegula_WgmmaLaunch.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

/// The map of an operand for tiles of `lines` lines, and how it is fetched. With contiguous lines a box is as wide as
/// the swizzle, and a tile takes several. With contiguous depth it has no more lines than the operand, or nearly: a box
/// that lies outside in part takes longer than a smaller one. The lines of the tile that nobody fetches are those of
/// results that nobody stores.
inline WgmmaFetch map_operand(CUtensorMap& map, const MatrixRef<const std::uint16_t>& operand, int lines,
                              const Plan& plan) {
  constexpr int line_bytes = 64 * 2, swizzle_lines = 8;
  const EngineMatrix matrix = *engine_matrix(operand);
  if (matrix.major == Major::lines) {
    encode_tensor_map(map, matrix, 64, 64, plan);
    return {Major::lines, lines * line_bytes};
  }
  const auto there    = static_cast<int>(std::min<std::int64_t>(lines, operand.rows));
  const int box_lines = static_cast<int>(ceil_div(there, swizzle_lines)) * swizzle_lines;
  encode_tensor_map(map, matrix, 64, box_lines, plan);
  return {Major::depth, box_lines * line_bytes};
}

/// How a result is stored, and its map for the copy engine.
inline WgmmaOutput output_of(const AnyMatrix& matrix, const GemmShape& shape, CUtensorMap& map, const Plan& plan) {
  if (matrix.data == nullptr) return {matrix, StoreBy::nobody};
  const auto engine = engine_matrix(matrix.data, shape.m, shape.n, matrix.row_stride, matrix.column_stride);
  // The engine stores 16 bytes at a time, even where the matrix ends between them.
  const bool takes = matrix.element != Element::f32 && engine && engine->fast % 8 == 0;
  if (!takes) return {matrix, may_store_pairs(matrix) ? StoreBy::pairs : StoreBy::threads};
  encode_tensor_map(map, *engine, 64, 64, plan);
  return {matrix, engine->major == Major::depth ? StoreBy::rows : StoreBy::columns};
}

/// The epilogue of a call; the copy engine's maps of its results go to C_map and Z_map.
inline WgmmaEpilogueParameters epilogue_of(const TensorCall& call, const Plan& plan, float* partial_sums,
                                           CUtensorMap& C_map, CUtensorMap& Z_map) {
  const ProductPlan& product = plan.products[0];
  return {static_cast<std::int32_t>(product.shape.m),
          static_cast<std::int32_t>(product.shape.n),
          output_of(call.C, product.shape, C_map, plan),
          output_of(call.Z, product.shape, Z_map, plan),
          call.bias,
          call.activation,
          call.alpha,
          call.beta,
          product.split_k > 1 ? partial_sums : nullptr};
}

/// What a kernel with such a tile is told of a call.
template <class Config>
WgmmaArguments wgmma_arguments(const TensorCall& call, const Plan& plan, float* partial_sums) {
  const ProductPlan& product = plan.products[0];
  WgmmaArguments arguments{};
  if (product.shape.k > 0) {
    arguments.left_fetch  = map_operand(arguments.left, call.left, Config::tile_m, plan);
    arguments.right_fetch = map_operand(arguments.right, call.right, Config::tile_n, plan);
  }
  arguments.tiles    = tiles_of(product);
  arguments.epilogue = epilogue_of(call, plan, partial_sums, arguments.C, arguments.Z);
  return arguments;
}

/// Queues a kernel. Teams are persistent: no more than run at once.
template <class Kernel>
void launch_wgmma_kernel(const Kokkos::Cuda& exec, const Plan& plan, const Kernel& kernel) {
  using Config     = typename Kernel::config;
  const auto most  = static_cast<std::uint32_t>(exec.cuda_device_prop().multiProcessorCount);
  const int league = static_cast<int>(std::min(kernel.tiles.works(), most));
  typename Kernel::policy policy(exec, league, Config::threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(int(Config::scratch_bytes)));
  using Kokkos::Experimental::WorkItemProperty;
  Kokkos::parallel_for(kernel_label(plan), Kokkos::Experimental::require(policy, WorkItemProperty::HintLightWeight),
                       kernel);
}

/// Finds the configuration that the plan names.
template <class Input, class Config, class... Others>
void launch_wgmma_with(WgmmaConfigList<Config, Others...>, const Kokkos::Cuda& exec, const TensorCall& call,
                       const Plan& plan, float* partial_sums) {
  if (plan.tile() == Config::shape()) {
    const WgmmaArguments arguments = wgmma_arguments<Config>(call, plan, partial_sums);
    if (arguments.epilogue.is_plain())
      return launch_wgmma_kernel(exec, plan, WgmmaKernel<Config, Input, true>(arguments));
    return launch_wgmma_kernel(exec, plan, WgmmaKernel<Config, Input, false>(arguments));
  }
  if constexpr (sizeof...(Others) > 0) {
    launch_wgmma_with<Input>(WgmmaConfigList<Others...>(), exec, call, plan, partial_sums);
  } else {
    throw std::logic_error("Tegula: the wgmma family has no tile " + text(plan.tile()));
  }
}

/// One source file for each input type, so that they compile at the same time.
template <class Input>
void launch_wgmma_of(const Kokkos::Cuda& exec, const TensorCall& call, const Plan& plan, float* partial_sums) {
  launch_wgmma_with<Input>(WgmmaConfigs(), exec, call, plan, partial_sums);
}

}  // namespace Tegula::Impl

#endif
