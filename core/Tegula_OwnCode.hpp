// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OWN_CODE_HPP
#define TEGULA_OWN_CODE_HPP

#include <type_traits>

#include "Tegula_ActivationRuns.hpp"
#include "Tegula_CallTypes.hpp"
#include "Tegula_KokkosCompat.hpp"
#include "Tegula_OwnPasses.hpp"  // the only header of kernels/ that core/ includes

/// What a call brings along of types of the user's own, compiled where it is used. Types is what Tegula_CallTypes.hpp
/// has.

namespace Tegula::Impl {

/// What a call needs beyond functions on runs and elementwise passes. Tegula_OwnTypes.hpp, which the user includes,
/// defines it:
///   static void add_to(Call& call)
template <class ExecutionSpace, class Types>
struct OwnTypes;

/// Whether a user's types are functions on runs for an execution space: for hosts whose kernels are done, and need the
/// functor no more, when a call returns.
template <class ExecutionSpace, class Accumulator>
inline constexpr bool calls_functions_on_runs = is_done_at_return<ExecutionSpace> &&
                                                (std::is_same_v<Accumulator, float> ||
                                                 std::is_same_v<Accumulator, double>);

/// Whether a user's activation has elementwise passes: on Cuda, for element types that Tegula brings.
template <class ExecutionSpace, bool HasOwnElements>
inline constexpr bool has_own_passes = has_cuda_families<ExecutionSpace> && !HasOwnElements;

/// Adds the activation of a layer, and what is compiled here of one of the user's own.
template <class ExecutionSpace, class Types, bool HasOwnElements = Types::has_own_elements>
void add_activation(CallActivation& layer, const typename Types::Activation& activation) {
  using Activation         = typename Types::Activation;
  using Accumulator        = typename Types::Accumulator;
  layer.is_built_in        = is_built_in<Activation>;
  layer.has_constant_slope = Activation::saved == Saved::nothing;
  layer.activation_name    = Activation::name;
  layer.passes.functor     = &activation;
  if constexpr (is_built_in<Activation>) {
    layer.activation = activation_choice(activation);
  } else if constexpr (calls_functions_on_runs<ExecutionSpace, Accumulator>) {
    if constexpr (Types::is_backward) {
      layer.passes.slope = &slope_of_run<Accumulator, Activation>;
    } else {
      layer.passes.value = &value_of_run<Accumulator, Activation>;
    }
  } else if constexpr (has_own_passes<ExecutionSpace, HasOwnElements>) {
    add_own_passes<Types>(layer.passes);
  }
}

/// Adds to a call what is compiled here of types of the user's own, beside functions and passes of activations.
template <class ExecutionSpace, class Types>
void add_own_types(Call& call) {
  constexpr bool are_built_in =
      is_built_in<typename Types::Activation> && is_built_in<typename Types::LayerBelow::Activation>;
  constexpr bool needs_more = Types::has_own_elements ||
                              (!are_built_in && !calls_functions_on_runs<ExecutionSpace, typename Types::Accumulator> &&
                               !has_own_passes<ExecutionSpace, Types::has_own_elements>);
  if constexpr (needs_more) {
    constexpr bool is_included = requires { sizeof(OwnTypes<ExecutionSpace, Types>); };
    static_assert(
        is_included,
        "Tegula: a call with an element type of your own needs #include <Tegula_OwnTypes.hpp>, and so does one "
        "with an activation of your own on a GPU that is not NVIDIA's");
    if constexpr (is_included) OwnTypes<ExecutionSpace, Types>::add_to(call);
  }
}

}  // namespace Tegula::Impl

#endif
