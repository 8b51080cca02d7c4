// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_LAUNCH_CUH
#define TEGULA_GEMV_LAUNCH_CUH

#include <algorithm>

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_GemvKernel.cuh"
#include "Tegula_GemvLaunch.hpp"

/// From a planned call to the kernel on a stream. One source file for each type, so that they compile at the same time.

namespace Tegula::Impl {

/// Calls function.operator()<Along, is_aligned>() for the form of an operand.
template <class Function>
void with_gemv_form(const GemvForm& form, const Function& function) {
  const auto with_alignment = [&]<Major along>() {
    form.is_aligned ? function.template operator()<along, true>() : function.template operator()<along, false>();
  };
  form.along == Major::depth ? with_alignment.template operator()<Major::depth>()
                             : with_alignment.template operator()<Major::lines>();
}

template <class T>
void launch_gemv(const Kokkos::Cuda& exec, const ProductCall<T>& call, const Plan& plan, const ProductPlan& product,
                 T* partial_sums, const CallableRef& before) {
  const auto arguments = gemv_arguments(call, product, partial_sums);
  with_gemv_lines<T>(std::min(product.shape.m, product.shape.n), [&]<int lines>() {
    with_gemv_form(gemv_form(call, product.shape), [&]<Major along, bool is_aligned>() {
      launch_product(exec, plan, product, arguments.tiles.works(),
                     GemvKernel<GemvTile<T, along, lines>, is_aligned>(arguments), before);
    });
  });
}

}  // namespace Tegula::Impl

#endif
