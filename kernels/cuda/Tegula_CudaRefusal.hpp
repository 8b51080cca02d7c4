// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_REFUSAL_HPP
#define TEGULA_CUDA_REFUSAL_HPP

#include <algorithm>
#include <cstddef>

#include "Tegula_CudaProducts.hpp"

/// Reasons for not taking a call that several families for CUDA share.

namespace Tegula::Impl {

/// What families take that have kernels for float, or for double.
inline constexpr const char* only_float  = "it takes float throughout, with an activation that Tegula brings, on Cuda";
inline constexpr const char* only_double = "it takes double throughout, with an activation that Tegula brings, on Cuda";
/// What those take that have kernels for both.
inline constexpr const char* float_or_double =
    "it takes float or double throughout, with an activation that Tegula brings, on Cuda";
/// What those take that have kernels for all types.
inline constexpr const char* any_type =
    "it takes float or double throughout, or half_t or bhalf_t times the same, to the same or float, with an "
    "activation that Tegula brings, on Cuda";

/// What those take for all gradients at once (has_output_gradients).
inline constexpr const char* output_gradients =
    "for all gradients it takes float or double throughout, or half_t or bhalf_t with gradients of float, too, and an "
    "activation that Tegula brings whose derivative follows from its output, on Cuda";

/// What products of families are formed of that round factors of float (CudaFamily::instructions).
inline const char* of_parts_of_tf32(const Call&) { return "three products of two parts of TF32 each, 22 bits"; }
inline const char* of_tf32(const Call&) { return "products of floats that are rounded to TF32, 11 bits"; }

/// Null, or why no family for CUDA takes the call.
inline const char* cuda_refusal(const Call& call, const CudaMachine& machine) {
  if (machine.major < 8) return "the device is older than compute capability 8.0";
  if (!has_cuda_extents(call)) return "an extent is too large to be counted in 32 bits";
  return nullptr;
}

/// Null, or why `tall`, `shallow` and `direct` do not compute all gradients of a call at once.
inline const char* gradients_refusal(const Call& call, const CudaMachine& machine) {
  if (const char* reason = cuda_refusal(call, machine)) return reason;
  if (call.alpha == 0) return "alpha is 0";
  return std::min({call.dC.rows, call.dC.columns, call.A.columns}) < 1 ? "an extent is 0" : nullptr;
}

/// Null, or why a family that reads what the layer below saved as it reads operands does not take the product.
inline const char* below_refusal(const Call& product) {
  const auto& below = product.below;
  if (below && !below->has_constant_slope && below->saved.element != product.A.element)
    return "what the layer below saved is of another type";
  return nullptr;
}

/// Null, or why a family for Hopper, whose teams want `scratch` bytes, does not take the call.
inline const char* hopper_refusal(const Call& call, const CudaMachine& machine, std::size_t scratch) {
  if (machine.major != 9) return "the device is not of compute capability 9.0";
  if (machine.scratch_max < scratch || !machine.keeps_parameters)
    return "as TeamPolicies of this Kokkos, its kernels have too little scratch, or lie where TMA cannot read them";
  return cuda_refusal(call, machine);
}

}  // namespace Tegula::Impl

#endif
