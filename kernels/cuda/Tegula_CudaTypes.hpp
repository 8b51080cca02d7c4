// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_TYPES_HPP
#define TEGULA_CUDA_TYPES_HPP

#include <cstdint>

#include "Tegula_ActivationKernels.hpp"
#include "Tegula_Call.hpp"

/// Element types of calls, as the families for CUDA tell them apart.

namespace Tegula::Impl {

/// The element type of A and B, or of dC.
inline Element input_of(const Call& call) { return (call.is_backward ? call.dC : call.A).element; }

inline bool is_16_bit(Element element) { return element == Element::f16 || element == Element::bf16; }

inline bool is_double(const Call& call) { return input_of(call) == Element::f64; }

/// Whether a family applies the activation of a call of gemm: one that Tegula brings, or one that is compiled into its
/// kernels.
bool has_activation(const Call& call, FusingFamily family);

/// Whether all element types of a call are Tegula's.
bool has_known_elements(const Call& call);

/// Whether a call is of this element type throughout.
bool is_uniform(const Call& call, Element element);

/// Whether a call is float throughout, or double.
bool is_float_or_double(const Call& call);

/// Whether a call of gemm is half_t or bhalf_t times the same, to the same or float. A bias may be float, too, or of
/// the other type.
bool is_half(const Call& call);

/// Whether a call of gemm_backward is half_t or bhalf_t with gradients of that type or float, and a dbias of any of the
/// three.
bool is_half_backward(const Call& call);

/// Whether a call of gemm_backward is half_t or bhalf_t so, or float throughout, or double, with an activation that
/// Tegula brings whose derivative follows from its output.
bool has_output_gradients(const Call& call);

/// Whether a call has an activation that Tegula brings and is of this type throughout, of either, or, of gemm, of any.
bool is_built_in_float(const Call& call);
bool is_built_in_double(const Call& call);
bool is_built_in_float_or_double(const Call& call);
bool is_of_any_type(const Call& call);

/// Whether a call of gemm has an activation that Tegula brings and is half_t or bhalf_t throughout, but for the bias
/// and a Z that is float.
bool is_built_in_half_to_half(const Call& call);

/// Calls function.operator()<Bits>() with the type that operands of a call are passed on as: for both types of 16 bits,
/// their bits.
template <class Function>
decltype(auto) with_bits(const Call& call, const Function& function) {
  switch (input_of(call)) {
    case Element::f64:
      return function.template operator()<double>();
    case Element::f32:
      return function.template operator()<float>();
    default:
      return function.template operator()<std::uint16_t>();
  }
}

}  // namespace Tegula::Impl

#endif
