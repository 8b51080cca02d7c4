// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_ELEMENT_CUH
#define TEGULA_CUDA_ELEMENT_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "Tegula_Activation.hpp"
#include "Tegula_ActivationChoice.hpp"
#include "Tegula_CudaCall.hpp"
#include "product/Tegula_ChosenActivation.hpp"

/// Elements and activations whose type is known at run time: how kernels read, write and apply them.

namespace Tegula::Impl {

/// The bits of an element of a row vector, 32 at most, and its value: two functions, so that other work fits between.
__device__ inline std::uint32_t load_bits(const AnyMatrix& row, std::int64_t column) {
  const std::int64_t at = column * row.column_stride;
  return row.element == Element::f32 ? static_cast<const std::uint32_t*>(row.data)[at]
                                     : static_cast<const std::uint16_t*>(row.data)[at];
}
__device__ inline float from_bits(Element element, std::uint32_t bits) {
  switch (element) {
    case Element::f16:
      return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
    case Element::bf16:
      return __uint_as_float(bits << 16);
    default:
      return __uint_as_float(bits);
  }
}

/// An element of an operand as what it is summed in.
template <class Input>
__device__ inline sum_t<bits_t<Input>> widened(bits_t<Input> bits) {
  if constexpr (sizeof(Input) == 2) {
    return from_bits(element_of<Input>, bits);
  } else {
    return bits;
  }
}

/// An element as Sum, which is double only if all matrices are.
template <class Sum>
__device__ inline Sum load(const AnyMatrix& matrix, std::int64_t row, std::int64_t column) {
  if constexpr (std::is_same_v<Sum, double>)
    return static_cast<const double*>(matrix.data)[row * matrix.row_stride + column * matrix.column_stride];
  const AnyMatrix line{static_cast<char*>(matrix.data) + row * matrix.row_stride * element_bytes(matrix.element),
                       matrix.element, 0, matrix.column_stride};
  return from_bits(matrix.element, load_bits(line, column));
}

__device__ inline void store(const AnyMatrix& matrix, std::int64_t row, std::int64_t column, double value) {
  static_cast<double*>(matrix.data)[row * matrix.row_stride + column * matrix.column_stride] = value;
}
__device__ inline void store(const AnyMatrix& matrix, std::int64_t row, std::int64_t column, float value) {
  const std::int64_t at = row * matrix.row_stride + column * matrix.column_stride;
  switch (matrix.element) {
    case Element::f16:
      static_cast<__half*>(matrix.data)[at] = __float2half_rn(value);
      return;
    case Element::bf16:
      static_cast<__nv_bfloat16*>(matrix.data)[at] = __float2bfloat16_rn(value);
      return;
    default:
      static_cast<float*>(matrix.data)[at] = value;
  }
}

/// Two numbers rounded to Input, the first in the lower bits.
template <class Input>
__device__ inline std::uint32_t rounded_pair(float first, float second) {
  if constexpr (element_of<Input> == Element::f16) {
    const __half2 pair = __floats2half2_rn(first, second);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
  } else {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
  }
}

/// Calls function(derivative) with that of an activation that is known to be chosen: derivative(saved) is act'.
template <class Activation, class Sum, class Function>
__device__ inline void with_derivative_of(const ActivationChoice& choice, const Function& function) {
  if constexpr (std::is_same_v<Activation, LeakyRelu>) {
    function([slope = static_cast<Sum>(choice.slope)](Sum y) { return y > 0 ? Sum(1) : y == y ? slope : y; });
  } else {
    function([](Sum saved) { return Activation().derivative(saved); });
  }
}

/// The same of any.
template <class Sum, class Function>
__device__ inline void with_derivative(const ActivationChoice& choice, const Function& function) {
  with_chosen(choice, [&]<class Activation>() { with_derivative_of<Activation, Sum>(choice, function); });
}

/// An activation that Tegula brings, for kernels that apply it to many elements: any, or one that the compiler knows.
struct ChosenActivation {
  ActivationChoice choice;

  /// Calls function(act), act(z) being the value for an argument of type Sum.
  template <class Sum, class Function>
  __device__ void with_value(const Function& function) const {
    if (is_activation<Identity>(choice)) return function(Identity());
    with_activation<Sum>(choice, function);
  }
};
template <class Activation>
struct KnownActivation {
  ActivationChoice choice;

  /// Calls function(derivative) with act' for what was saved.
  template <class Sum, class Function>
  __device__ void with_slope(const Function& function) const {
    with_derivative_of<Activation, Sum>(choice, function);
  }
};

/// The same for a user's activation.
template <class Activation>
struct OwnActivation {
  Activation activation;

  template <class Sum, class Function>
  __device__ void with_value(const Function& function) const {
    function([this](Sum z) { return static_cast<Sum>(activation(z)); });
  }
  template <class Sum, class Function>
  __device__ void with_slope(const Function& function) const {
    function([this](Sum saved) { return static_cast<Sum>(activation.derivative(saved)); });
  }
};

// What kernels ask of a choice among Tegula's activations, for those that a user's is compiled into.

/// Whether it is one that Tegula brings.
template <class BuiltIn, class Activation>
TEGULA_HOST_DEVICE constexpr bool is_activation(const OwnActivation<Activation>&) {
  return false;
}

/// Calls function(act).
TEGULA_CALLS_ANY_FUNCTION
template <class T, class Activation, class Function>
KOKKOS_FORCEINLINE_FUNCTION void with_activation(const OwnActivation<Activation>& own, const Function& function) {
  function([&](T z) { return static_cast<T>(own.activation(z)); });
}

/// The activation of a product, of the type that a kernel takes.
template <class Activation, class Bits>
Activation activation_of(const ProductCall<Bits>& call) {
  if constexpr (std::is_same_v<Activation, ActivationChoice>) {
    return call.activation;
  } else {
    return {*static_cast<const decltype(Activation::activation)*>(call.compiled.functor)};
  }
}

}  // namespace Tegula::Impl

#endif
