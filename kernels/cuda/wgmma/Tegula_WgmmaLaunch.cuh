// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_LAUNCH_CUH
#define TEGULA_WGMMA_LAUNCH_CUH

#include <algorithm>
#include <array>

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
template <class Activation>
WgmmaEpilogueParameters<Activation> epilogue_of(const WgmmaPart& part, const Plan& plan, CUtensorMap& C_map,
                                                CUtensorMap& Z_map) {
  const HalfCall& call   = part.call;
  const GemmShape& shape = part.product.shape;
  return {static_cast<std::int32_t>(shape.m),
          static_cast<std::int32_t>(shape.n),
          output_of(call.C, shape, C_map, plan),
          output_of(call.Z, shape, Z_map, plan),
          call.bias,
          activation_of<Activation>(call),
          call.alpha,
          call.beta,
          part.product.split_k > 1 ? part.partial_sums : nullptr};
}

/// A product as a kernel of this configuration is given it.
template <class Config, class Activation>
WgmmaProduct<Activation> wgmma_product(const WgmmaPart& part, const Plan& plan) {
  CUtensorMap C{}, Z{};
  const auto epilogue = epilogue_of<Activation>(part, plan, C, Z);
  WgmmaProduct<Activation> product{{}, {}, C, Z, {}, {}, tiles_of(part.product), epilogue};
  if (part.product.shape.k > 0) {
    product.left_fetch  = map_operand(product.left, part.call.left, Config::tile_m, plan);
    product.right_fetch = map_operand(product.right, part.call.right, Config::tile_n, plan, Config::tile_teams);
  }
  return product;
}

/// Teams, or pairs of them, are persistent, so there are no more than `most`, which run at once.
template <std::size_t Products>
WgmmaShares shares_of(const std::array<WgmmaPart, Products>& parts, std::uint32_t most) {
  std::uint32_t works[2] = {}, head_start = 0;
  for (std::size_t p = 0; p < Products; ++p) works[p] = tiles_of(parts[p].product).works();
  if constexpr (Products == 2) head_start = head_start_of(parts[0].steps(), parts[1].steps());
  return {works[0], works[1], head_start, std::min(works[0] + works[1], most)};
}

template <class Config, class Activation, std::size_t Products>
auto wgmma_arguments(const std::array<WgmmaPart, Products>& parts, const ColumnSums& sums, const Plan& plan,
                     std::uint32_t multiprocessors) {
  using Arguments    = WgmmaArguments<int(Products), Activation>;
  const auto product = [&](std::size_t p) { return wgmma_product<Config, Activation>(parts[p], plan); };
  const auto shares  = shares_of(parts, multiprocessors / Config::tile_teams);
  const bool is_cut =
      std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.product.split_k > 1; });
  if constexpr (Products == 1) {
    return Arguments{{product(0)}, shares, sums, is_cut};
  } else {
    return Arguments{{product(0), product(1)}, shares, sums, is_cut};
  }
}

/// Calls launch() for the kind of epilogue that is enough for all products. A user's activation has no plain one.
template <class Activation, class Arguments, class Launch>
void with_epilogue_kind(const Arguments& arguments, const Launch& launch) {
  using Kind = WgmmaEpilogueKind;
  Kind kind  = Kind::plain;
  for (const auto& product : arguments.products) kind = std::max(kind, product.epilogue.kind());
  if constexpr (!WgmmaEpilogueParameters<Activation>::is_own)
    if (kind == Kind::plain) return launch.template operator()<Kind::plain>();
  kind == Kind::any ? launch.template operator()<Kind::any>() : launch.template operator()<Kind::runs>();
}

template <class Config, class Input, class Activation, std::size_t Products>
void launch_wgmma_config(const Kokkos::Cuda& exec, const std::array<WgmmaPart, Products>& parts, const ColumnSums& sums,
                         const Plan& plan, const CallableRef& before) {
  const auto multiprocessors = static_cast<std::uint32_t>(cuda_device(exec).multiprocessors);
  const auto arguments       = wgmma_arguments<Config, Activation>(parts, sums, plan, multiprocessors);
  with_epilogue_kind<Activation>(arguments, [&]<WgmmaEpilogueKind kind>() {
    launch_product(exec, plan, parts[0].product, arguments.shares.teams() * Config::tile_teams,
                   WgmmaKernel<Config, Input, Activation, kind, int(Products)>(arguments), before);
  });
}

/// Queues the kernel of one or two products, which applies an activation of this type.
template <class Input, class Activation, std::size_t Products>
void launch_wgmma_with(const Kokkos::Cuda& exec, const std::array<WgmmaPart, Products>& parts, const ColumnSums& sums,
                       const Plan& plan, const CallableRef& before) {
  with_config(WgmmaConfigs(), plan, parts[0].product.tile,
              [&]<class Config>() { launch_wgmma_config<Config, Input, Activation>(exec, parts, sums, plan, before); });
}

// One source file for each input type and number of products, so that they compile at the same time.
template <class Input, int Products>
void launch_wgmma_of(const Kokkos::Cuda& exec, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                     const Plan& plan, const CallableRef& before) {
  launch_wgmma_with<Input, ActivationChoice>(exec, parts, sums, plan, before);
}

}  // namespace Tegula::Impl

#endif
