// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaTypes.hpp"

namespace Tegula::Impl {
namespace {

/// Whether holds(element) for each matrix of the call, as given by role.
template <class Holds, class... Matrices>
bool all(const Holds& holds, const Matrices&... matrices) {
  return (holds(matrices.element) && ...);
}

// Whether holds(element) for every matrix of a call.
template <class Holds>
bool all_matrices(const Call& call, const Holds& holds) {
  if (call.below && !all(holds, call.below->saved, call.below->dbias)) return false;
  return all(holds, call.A, call.B) && (call.is_backward ? all(holds, call.dC, call.saved, call.dA, call.dB, call.dbias)
                                                         : all(holds, call.C, call.bias, call.Z));
}

}  // namespace

bool has_activation(const Call& call, FusingFamily family) {
  if (call.is_built_in || call.passes.kernels == nullptr) return call.is_built_in;
  return with_bits(call, [&]<class Bits>() { return call.passes.kernels->of<Bits>(input_of(call)).has(family); });
}

bool has_known_elements(const Call& call) {
  return all_matrices(call, [](Element element) { return element != Element::other; });
}

bool is_uniform(const Call& call, Element element) {
  return all_matrices(call, [&](Element other) { return other == element; });
}

bool is_float_or_double(const Call& call) { return is_uniform(call, Element::f32) || is_uniform(call, Element::f64); }

bool is_half(const Call& call) {
  const Element input = call.A.element;
  if (!is_16_bit(input)) return false;
  const auto is_result = [&](Element other) { return other == input || other == Element::f32; };
  const Element bias   = call.bias.element;
  return call.B.element == input && is_result(call.C.element) && is_result(call.Z.element) &&
         (is_16_bit(bias) || bias == Element::f32);
}

bool is_half_backward(const Call& call) {
  const Element input = call.dC.element, dbias = call.dbias.element;
  if (!is_16_bit(input) || !call.has_operands_alike()) return false;
  const auto is_result = [&](Element other) { return other == input || other == Element::f32; };
  return is_result(call.dA.element) && is_result(call.dB.element) && (is_16_bit(dbias) || dbias == Element::f32);
}

bool has_output_gradients(const Call& call) {
  return call.is_backward && call.is_built_in && is_one_of(OutputActivations(), call.activation) &&
         (is_float_or_double(call) || is_half_backward(call));
}

bool is_built_in_float(const Call& call) { return call.is_built_in && is_uniform(call, Element::f32); }
bool is_built_in_double(const Call& call) { return call.is_built_in && is_uniform(call, Element::f64); }
bool is_built_in_float_or_double(const Call& call) { return call.is_built_in && is_float_or_double(call); }
bool is_of_any_type(const Call& call) { return call.is_built_in && (is_float_or_double(call) || is_half(call)); }

bool is_built_in_half_to_half(const Call& call) {
  return call.is_built_in && is_half(call) && call.C.element == input_of(call);
}

}  // namespace Tegula::Impl
