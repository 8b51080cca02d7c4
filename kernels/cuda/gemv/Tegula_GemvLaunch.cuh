// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_LAUNCH_CUH
#define TEGULA_GEMV_LAUNCH_CUH

#include <algorithm>

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_GemvKernel.cuh"

/// From a planned call to the kernel on a stream.

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
void launch_gemv(const CudaLaunch& l) {
  const ProductPlan& product = l.products[0];
  const auto call            = product_call<T>(l.calls[0]);
  const auto arguments       = gemv_arguments(call, product, reinterpret_cast<T*>(l.memory));
  with_gemv_lines<T>(std::min(product.shape.m, product.shape.n), [&]<int lines>() {
    with_gemv_form(gemv_form(call, product.shape), [&]<Major along, bool is_aligned>() {
      launch_product(l.exec, l.plan, product, arguments.tiles.works(),
                     GemvKernel<GemvTile<T, along, lines>, is_aligned>(arguments), l.before);
    });
  });
}

}  // namespace Tegula::Impl

#endif
