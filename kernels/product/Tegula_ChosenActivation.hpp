// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCT_CHOSEN_ACTIVATION_HPP
#define TEGULA_PRODUCT_CHOSEN_ACTIVATION_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_ActivationChoice.hpp"
#include "Tegula_DeviceMacros.hpp"

/// Activations that are chosen by data, for kernels on any space. All threads take the same branch, once for several
/// elements.

namespace Tegula::Impl {

/// LeakyRelu with a slope that is known to be one, in the type of its argument.
template <class T>
struct ChosenLeakyRelu {
  T slope;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(T z) const { return select_greater(z, T(0), z, slope * z); }
  KOKKOS_FORCEINLINE_FUNCTION T derivative(T y) const {
    const T gentle = select_greater(T(1), y, slope, y);  // not for NaN
    return select_greater(y, T(0), T(1), gentle);
  }
};

/// Calls function(activation) with the chosen one, unless it is Identity.
TEGULA_CALLS_ANY_FUNCTION
template <class T, class... Activations, class Function>
KOKKOS_FORCEINLINE_FUNCTION void with_chosen(ActivationList<Activations...>, const ActivationChoice& choice,
                                             const Function& function) {
  const auto try_one = [&]<class Activation>() {
    if constexpr (std::is_same_v<Activation, LeakyRelu>) {
      if (is_activation<Activation>(choice)) function(ChosenLeakyRelu<T>{static_cast<T>(choice.slope)});
    } else if constexpr (!std::is_same_v<Activation, Identity>) {
      if (is_activation<Activation>(choice)) function(Activation());
    }
  };
  if (!is_activation<Identity>(choice)) (try_one.template operator()<Activations>(), ...);
}
template <class T, class Function>
KOKKOS_FORCEINLINE_FUNCTION void with_activation(const ActivationChoice& choice, const Function& function) {
  with_chosen<T>(BuiltInActivations(), choice, function);
}

}  // namespace Tegula::Impl

#endif
