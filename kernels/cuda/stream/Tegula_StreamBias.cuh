// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_BIAS_CUH
#define TEGULA_STREAM_BIAS_CUH

#include "../Tegula_ResultElement.cuh"
#include "Tegula_StreamArguments.hpp"

namespace Tegula::Impl {

/// Element i of a bias of these arguments.
template <class T>
__device__ inline sum_t<T> stream_bias(const StreamArguments<T>& p, void* bias, std::int64_t i) {
  using Any = ResultElement<T>;
  return Any::value(p.bias_element, Any::ask(bias, p.bias_element, i * p.bias_stride));
}

}  // namespace Tegula::Impl

#endif
