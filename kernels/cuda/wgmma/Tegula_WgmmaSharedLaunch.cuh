// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_SHARED_LAUNCH_CUH
#define TEGULA_WGMMA_SHARED_LAUNCH_CUH

#include <bit>

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_WgmmaOperand.cuh"
#include "Tegula_WgmmaPart.hpp"
#include "Tegula_WgmmaSharedKernel.cuh"
#include "Tegula_WithConfig.hpp"

/// From a planned product, whose tiles clusters share, to the kernel on a stream.

namespace Tegula::Impl {

inline WgmmaSharedArguments<ActivationChoice> shared_arguments(const HalfCall& call, const ProductPlan& product) {
  const bool by_columns    = call.C.is_column_major();
  const HalfCall lines     = by_columns ? transposed(call) : call;
  const GemmShape& shape   = product.shape;
  const auto teams         = static_cast<unsigned>(product.sharing_teams);
  const std::int64_t steps = ceil_div(shape.k, product.tile.k);
  return {.left         = {},
          .right        = {},
          .left_fetch   = {},
          .right_fetch  = {},
          .tiles        = CudaTiles(product.tile, product.order, steps, ceil_div(steps, std::int64_t(teams))),
          .tile_count   = static_cast<std::uint32_t>(product.order.tiles()),
          .cluster_log2 = static_cast<std::uint32_t>(std::countr_zero(teams)),
          .by_columns   = by_columns,
          .is_followed  = product.is_followed,
          .lines        = static_cast<std::int32_t>(by_columns ? shape.n : shape.m),
          .length       = static_cast<std::int32_t>(by_columns ? shape.m : shape.n),
          .result = {run_matrix(lines.C), run_matrix(lines.bias), run_matrix(lines.Z), call.activation, call.alpha,
                     call.beta}};
}

// A source file for each input type, so that they compile at the same time.
template <class Input>
void launch_wgmma_shared(const Kokkos::Cuda& exec, const HalfCall& call, const Plan& plan, const ProductPlan& product,
                         const CallableRef& before) {
  with_config(WgmmaSharedConfigs(), plan, product.tile, [&]<class Config>() {
    WgmmaSharedArguments<ActivationChoice> arguments = shared_arguments(call, product);
    arguments.left_fetch                             = map_operand(arguments.left, call.left, Config::tile_m, plan);
    arguments.right_fetch                            = map_operand(arguments.right, call.right, Config::tile_n, plan);
    launch_product(exec, plan, product, static_cast<std::uint32_t>(product.teams()),
                   WgmmaSharedKernel<Config, Input, ActivationChoice>(arguments), before);
  });
}

}  // namespace Tegula::Impl

#endif
