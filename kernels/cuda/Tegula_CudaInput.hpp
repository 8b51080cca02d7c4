// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_INPUT_HPP
#define TEGULA_CUDA_INPUT_HPP

#include "Tegula_Call.hpp"
#include "Tegula_CudaCall.hpp"

namespace Tegula::Impl {

/// Calls function.operator()<Input>() with the type of the elements of dC, as kernels for CUDA tell them apart.
template <class Function>
void with_input_of_gradients(const Call& call, const Function& function) {
  switch (call.dC.element) {
    case Element::f64:
      return function.template operator()<double>();
    case Element::f32:
      return function.template operator()<float>();
    case Element::f16:
      return function.template operator()<F16>();
    default:
      function.template operator()<Bf16>();
  }
}

}  // namespace Tegula::Impl

#endif
