// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MMA_LAUNCH_CUH
#define TEGULA_OUTER_MMA_LAUNCH_CUH

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "../outer/Tegula_OuterDepth.hpp"
#include "Tegula_OuterMmaKernel.cuh"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

template <class Input>
void launch_outer_mma(const CudaLaunch& l) {
  const auto call            = product_call<std::uint16_t>(l.calls[0]);
  const ProductPlan& product = l.products[0];
  const TileShape tile       = call.C.is_column_major() ? product.tile.transposed() : product.tile;
  with_outer_depth(OuterMmaConfigs(), tile.k, [&]<class Config>() {
    launch_product(l.exec, l.plan, product, static_cast<std::uint32_t>(product.teams()),
                   OuterMmaKernel<Config, Input>(outer_mma_arguments(call, product.shape, tile)), l.before);
  });
}

}  // namespace Tegula::Impl

#endif
