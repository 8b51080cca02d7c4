// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostCallbacks.hpp"

#include <array>
#include <cstddef>

#include "Tegula_ActivationRuns.hpp"
#include "Tegula_HostElements.hpp"
#include "Tegula_Scalar.hpp"

namespace Tegula::Impl {
namespace {

/// The functions of all activations that Tegula brings, by position. Identity has none; of values, nobody asks for it.
template <class T, class... Activations>
ValueOfRun built_in_value(Instructions instructions, int position, ActivationList<Identity, Activations...>) {
  constexpr std::array functions{&value_of_run<T, Activations>...};
  return functions[static_cast<std::size_t>(position - 1)](instructions);
}
template <class T, class... Activations>
SlopeOfRun built_in_slope(Instructions instructions, int position, ActivationList<Identity, Activations...>) {
  constexpr std::array functions{&slope_of_run<T, Activations>...};
  return position == 0 ? nullptr : functions[static_cast<std::size_t>(position - 1)](instructions);
}

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
  const auto of_position = [&]<class T>() {
    return built_in_value<T>(instructions, call.activation.position, BuiltInActivations());
  };
  if (!call.is_built_in) return {call.passes.functor, call.passes.value(instructions)};
  return {call.passes.functor, call.accumulator == Element::f64 ? of_position.template operator()<double>()
                                                                : of_position.template operator()<float>()};
}

HostSlope host_slope(const CallActivation& layer, Element accumulator, Instructions instructions) {
  const auto of_position = [&]<class T>() {
    return built_in_slope<T>(instructions, layer.activation.position, BuiltInActivations());
  };
  if (!layer.is_built_in) return {layer.passes.functor, layer.passes.slope(instructions), layer.has_constant_slope};
  return {layer.passes.functor,
          accumulator == Element::f64 ? of_position.template operator()<double>()
                                      : of_position.template operator()<float>(),
          layer.has_constant_slope};
}

}  // namespace Tegula::Impl
