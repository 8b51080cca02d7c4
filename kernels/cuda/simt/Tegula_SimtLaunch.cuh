// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_LAUNCH_CUH
#define TEGULA_SIMT_LAUNCH_CUH

#include "../Tegula_LaunchKernel.hpp"
#include "Tegula_SimtKernel.cuh"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

template <FetchBy left_by, FetchBy right_by>
void launch_simt_pair(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product,
                      const SimtArguments& arguments) {
  with_config(SimtConfigs(), plan, product.tile, [&]<class Config>() {
    launch_kernel(exec, kernel_label(plan, product), arguments.tiles.works(),
                  SimtKernel<Config, left_by, right_by>(arguments));
  });
}

/// One source file for each way to fetch the left operand, so that they compile at the same time.
template <FetchBy left_by>
void launch_simt_left(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product,
                      const SimtArguments& arguments) {
  switch (arguments.right.by) {
    case FetchBy::chunks:
      return launch_simt_pair<left_by, FetchBy::chunks>(exec, plan, product, arguments);
    case FetchBy::depth:
      return launch_simt_pair<left_by, FetchBy::depth>(exec, plan, product, arguments);
    case FetchBy::lines:
      return launch_simt_pair<left_by, FetchBy::lines>(exec, plan, product, arguments);
  }
}

}  // namespace Tegula::Impl

#endif
