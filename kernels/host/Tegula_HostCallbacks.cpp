// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostCallbacks.hpp"

#include "Tegula_HostActivations.hpp"
#include "Tegula_HostElements.hpp"
#include "Tegula_Scalar.hpp"

namespace Tegula::Impl {
namespace {

HostElements of_runs(const ElementRuns& runs, Instructions instructions) {
  return {runs.read(instructions), runs.write(instructions)};
}

}  // namespace

HostElements host_elements(const CallMatrix& matrix, Instructions instructions) {
#if TEGULA_HAS_HALF
  if (matrix.element == Element::f16) return of_runs(element_runs<float, half_t>, instructions);
#endif
#if TEGULA_HAS_BHALF
  if (matrix.element == Element::bf16) return of_runs(element_runs<float, bhalf_t>, instructions);
#endif
  return of_runs(*matrix.runs, instructions);
}

HostValue host_value(const Call& call, Instructions instructions) {
  if (call.is_identity()) return {};
  if (!call.is_built_in) return {call.passes.functor, call.passes.value(instructions)};
  return {call.passes.functor, built_in_value(instructions, call.activation.position, call.accumulator == Element::f64),
          is_activation<Relu>(call.activation)};
}

HostSlope host_slope(const CallActivation& layer, Element accumulator, Instructions instructions) {
  const SlopeOfRun function = layer.is_built_in
                                  ? built_in_slope(instructions, layer.activation.position, accumulator == Element::f64)
                                  : layer.passes.slope(instructions);
  return {layer.passes.functor, function, layer.has_constant_slope};
}

}  // namespace Tegula::Impl
