// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_LAUNCH_CUH
#define TEGULA_OUTER_LAUNCH_CUH

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_OuterDepth.hpp"
#include "Tegula_OuterKernel.cuh"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

template <class Input>
void launch_outer(const CudaLaunch& l) {
  using Bits                 = bits_t<Input>;
  const auto call            = product_call<Bits>(l.calls[0]);
  const ProductPlan& product = l.products[0];
  const TileShape tile       = call.C.is_column_major() ? product.tile.transposed() : product.tile;
  with_outer_depth(OuterConfigs<sum_t<Bits>>(), tile.k, [&]<class Config>() {
    launch_product(l.exec, l.plan, product, static_cast<std::uint32_t>(product.teams()),
                   OuterKernel<Config, Input>(outer_arguments(call, product.shape, tile.m)), l.before);
  });
}

}  // namespace Tegula::Impl

#endif
