// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RESULT_ELEMENT_CUH
#define TEGULA_RESULT_ELEMENT_CUH

#include "Tegula_CudaElement.cuh"

/// Elements of results and of the bias: of the type of the operands if that is float or double, and of any type that is
/// summed in float otherwise. What is asked for is made a number later, so that nothing waits for it before.

namespace Tegula::Impl {

template <class Bits>
struct ResultElement {
  using Asked = Bits;

  __device__ static Asked ask(void* data, Element, std::int64_t at) { return static_cast<const Bits*>(data)[at]; }
  __device__ static Bits value(Element, Asked asked) { return asked; }
  __device__ static void store(void* data, Element, std::int64_t at, Bits value) {
    static_cast<Bits*>(data)[at] = value;
  }
};

template <>
struct ResultElement<std::uint16_t> {
  using Asked = std::uint32_t;

  __device__ static Asked ask(void* data, Element element, std::int64_t at) {
    return load_bits(AnyMatrix{data, element, 0, 1}, at);
  }
  __device__ static float value(Element element, Asked asked) { return from_bits(element, asked); }
  __device__ static void store(void* data, Element element, std::int64_t at, float value) {
    Impl::store(AnyMatrix{data, element, 0, 1}, 0, at, value);
  }
};

}  // namespace Tegula::Impl

#endif
