// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_LAUNCH_CUH
#define TEGULA_SIMT_LAUNCH_CUH

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_SimtKernel.cuh"
#include "Tegula_SimtLeft.hpp"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

template <FetchBy left_by, FetchBy right_by, class Activation>
void launch_simt_pair(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product,
                      const SimtArguments<Activation>& arguments, const CallableRef& before) {
  with_config(SimtConfigs(), plan, product.tile, [&]<class Config>() {
    launch_product(exec, plan, product, arguments.tiles.works(),
                   SimtKernel<Config, left_by, right_by, Activation>(arguments), before);
  });
}

template <FetchBy left_by, class Activation>
void SimtLeft<left_by, Activation>::launch(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product,
                                           const SimtArguments<Activation>& arguments, const CallableRef& before) {
  switch (arguments.right.by) {
    case FetchBy::chunks:
      return launch_simt_pair<left_by, FetchBy::chunks>(exec, plan, product, arguments, before);
    case FetchBy::depth:
      return launch_simt_pair<left_by, FetchBy::depth>(exec, plan, product, arguments, before);
    case FetchBy::lines:
      return launch_simt_pair<left_by, FetchBy::lines>(exec, plan, product, arguments, before);
  }
}

}  // namespace Tegula::Impl

#endif
