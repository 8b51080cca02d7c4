// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_LAUNCH_CUH
#define TEGULA_GEMV_LAUNCH_CUH

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_GemvKernel.cuh"
#include "Tegula_GemvLaunch.hpp"

/// From a planned call to the kernel on a stream. One source file for each type, so that they compile at the same time.

namespace Tegula::Impl {

template <Major Along, class T>
void launch_gemv_along(const Kokkos::Cuda& exec, const KernelLabel& label, const GemvArguments<T>& arguments,
                       const CallableRef& before) {
  launch_kernel(exec, label, arguments.tiles.works(), GemvKernel<GemvTile<T, Along>>(arguments), before);
}

template <class T>
void launch_gemv(const Kokkos::Cuda& exec, const ProductCall<T>& call, const Plan& plan, const ProductPlan& product,
                 T* partial_sums, const CallableRef& before) {
  const auto arguments = gemv_arguments(call, product, partial_sums);
  const KernelLabel label(plan, product);
  streamed_major(call, product.shape) == Major::depth ? launch_gemv_along<Major::depth>(exec, label, arguments, before)
                                                      : launch_gemv_along<Major::lines>(exec, label, arguments, before);
}

}  // namespace Tegula::Impl

#endif
