// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ANY_ELEMENT_CUH
#define TEGULA_ANY_ELEMENT_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "Tegula_Activation.hpp"
#include "Tegula_CudaCall.hpp"
#include "ptx/Tegula_PtxRound.cuh"

/// Elements and activations whose type is known at run time: how kernels read, write and apply them.

namespace Tegula::Impl {

/// Two sums as 16-bit elements in a register, in the order in which stmatrix takes them, with or without relu.
template <bool relu>
__device__ inline std::uint32_t rounded(bhalf_t, float first, float second) {
  return ptx::round_to_bf16<relu>(first, second);
}
template <bool relu>
__device__ inline std::uint32_t rounded(half_t, float first, float second) {
  return ptx::round_to_f16<relu>(first, second);
}

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

/// Two neighbours of a row, the first of which lies at a multiple of the size of both.
__device__ inline void store_pair(const AnyMatrix& matrix, std::int64_t row, std::int64_t column, float first,
                                  float second) {
  const std::int64_t at = row * matrix.row_stride + column;
  if (matrix.element == Element::f32) {
    *reinterpret_cast<float2*>(static_cast<float*>(matrix.data) + at) = {first, second};
  } else {
    *reinterpret_cast<std::uint32_t*>(static_cast<std::uint16_t*>(matrix.data) + at) =
        matrix.element == Element::f16 ? ptx::round_to_f16<false>(first, second)
                                       : ptx::round_to_bf16<false>(first, second);
  }
}

/// Calls function.operator()<Activation>() for the chosen activation.
template <class... Activations, class Function>
__device__ inline void with_chosen(ActivationList<Activations...>, const ActivationChoice& choice,
                                   const Function& function) {
  const auto try_one = [&]<class Activation>() {
    if (is_activation<Activation>(choice)) function.template operator()<Activation>();
  };
  (try_one.template operator()<Activations>(), ...);
}

/// Calls function(activation) with the chosen one, for arguments of type Sum, unless it is Identity.
template <class Sum, class Function>
__device__ inline void with_activation(const ActivationChoice& choice, const Function& function) {
  with_chosen(BuiltInActivations(), choice, [&]<class Activation>() {
    if constexpr (std::is_same_v<Activation, LeakyRelu>) {
      function([slope = static_cast<Sum>(choice.slope)](Sum z) { return z > 0 || z != z ? z : slope * z; });
    } else if constexpr (!std::is_same_v<Activation, Identity>) {
      function(Activation());
    }
  });
}

/// Calls function(derivative) with that of the chosen activation: derivative(saved) is act'.
template <class Sum, class Function>
__device__ inline void with_derivative(const ActivationChoice& choice, const Function& function) {
  with_chosen(BuiltInActivations(), choice, [&]<class Activation>() {
    if constexpr (std::is_same_v<Activation, LeakyRelu>) {
      function([slope = static_cast<Sum>(choice.slope)](Sum y) { return y > 0 ? Sum(1) : y == y ? slope : y; });
    } else {
      function([](Sum saved) { return Activation().derivative(saved); });
    }
  });
}

}  // namespace Tegula::Impl

#endif
