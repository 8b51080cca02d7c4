// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_LAUNCH_CUH
#define TEGULA_WGMMA_LAUNCH_CUH

#include <algorithm>

#include "../Tegula_CudaDevice.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_WgmmaKernel.cuh"
#include "Tegula_WgmmaOperand.cuh"
#include "Tegula_WgmmaPart.hpp"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

/// How a result is stored, with its tensor map if TMA stores it. TMA stores 16 bytes at a time, even past the end of a
/// run, so it does not store a result with ragged ends.
inline CudaOutput output_of(const AnyMatrix& matrix, const GemmShape& shape, CUtensorMap& map, const Plan& plan) {
  const CudaOutput output = cuda_output(matrix, shape, false);
  if (output.is_by_runs()) {
    const auto runs = tma_matrix(matrix.data, shape.m, shape.n, matrix.row_stride, matrix.column_stride,
                                 element_bytes(matrix.element));
    encode_tensor_map(map, *runs, 64, 64, plan);
  }
  return output;
}

/// The epilogue of a product; the tensor maps of its results go to C_map and Z_map.
inline WgmmaEpilogueParameters epilogue_of(const WgmmaPart& part, const Plan& plan, CUtensorMap& C_map,
                                           CUtensorMap& Z_map) {
  const HalfCall& call   = part.call;
  const GemmShape& shape = part.product.shape;
  return {static_cast<std::int32_t>(shape.m),
          static_cast<std::int32_t>(shape.n),
          output_of(call.C, shape, C_map, plan),
          output_of(call.Z, shape, Z_map, plan),
          call.bias,
          call.activation,
          call.alpha,
          call.beta,
          part.product.split_k > 1 ? part.partial_sums : nullptr};
}

/// A product as a kernel of this configuration is given it.
template <class Config>
WgmmaProduct wgmma_product(const WgmmaPart& part, const Plan& plan) {
  WgmmaProduct product{};
  if (part.product.shape.k > 0) {
    product.left_fetch  = map_operand(product.left, part.call.left, Config::tile_m, plan);
    product.right_fetch = map_operand(product.right, part.call.right, Config::tile_n, plan);
  }
  product.tiles    = tiles_of(part.product);
  product.epilogue = epilogue_of(part, plan, product.C, product.Z);
  return product;
}

/// Teams are persistent, so there are no more than `most_teams`, which run at once.
template <class Config, int Products>
WgmmaArguments<Products> wgmma_arguments(const WgmmaParts<Products>& parts, const ColumnSums& sums, const Plan& plan,
                                         std::uint32_t most_teams) {
  WgmmaArguments<Products> arguments;
  std::uint32_t works[2] = {}, head_start = 0;
  for (int p = 0; p < Products; ++p) {
    arguments.products[p] = wgmma_product<Config>(parts[p], plan);
    works[p]              = arguments.products[p].tiles.works();
  }
  if constexpr (Products == 2) head_start = head_start_of(parts[0].steps(), parts[1].steps());
  arguments.shares      = {works[0], works[1], head_start, std::min(works[0] + works[1], most_teams)};
  arguments.column_sums = sums;
  return arguments;
}

template <class Config, class Input, int Products>
void launch_wgmma_config(const Kokkos::Cuda& exec, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                         const Plan& plan, const CallableRef& before) {
  const auto multiprocessors = static_cast<std::uint32_t>(cuda_device(exec).multiprocessors);
  const auto arguments       = wgmma_arguments<Config, Products>(parts, sums, plan, multiprocessors);
  const std::uint32_t teams  = arguments.shares.teams();
  const bool plain           = std::all_of(std::begin(arguments.products), std::end(arguments.products),
                                           [](const WgmmaProduct& product) { return product.epilogue.is_plain(); });
  const KernelLabel label(plan, parts[0].product);
  plain ? launch_kernel(exec, label, teams, WgmmaKernel<Config, Input, true, Products>(arguments), before)
        : launch_kernel(exec, label, teams, WgmmaKernel<Config, Input, false, Products>(arguments), before);
}

// One source file for each input type and number of products, so that they compile at the same time.
template <class Input, int Products>
void launch_wgmma_of(const Kokkos::Cuda& exec, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                     const Plan& plan, const CallableRef& before) {
  with_config(WgmmaConfigs(), plan, parts[0].product.tile,
              [&]<class Config>() { launch_wgmma_config<Config, Input, Products>(exec, parts, sums, plan, before); });
}

}  // namespace Tegula::Impl

#endif
