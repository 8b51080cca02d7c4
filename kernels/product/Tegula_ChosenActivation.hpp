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

/// Calls function.operator()<position>() for this number of begin, ..., end - 1, which is found by halves: to ask for
/// one after the other takes a GPU as long as the activation of a block, since instructions of every one of them lie
/// between the questions.
TEGULA_CALLS_ANY_FUNCTION
template <int begin, int end, class Function>
KOKKOS_FORCEINLINE_FUNCTION void with_position(int position, const Function& function) {
  if constexpr (end - begin == 1) {
    function.template operator()<begin>();
  } else {
    constexpr int middle = (begin + end) / 2;
    position < middle ? with_position<begin, middle>(position, function)
                      : with_position<middle, end>(position, function);
  }
}

/// Calls function.operator()<Activation>() for the chosen activation.
TEGULA_CALLS_ANY_FUNCTION
template <class Function>
KOKKOS_FORCEINLINE_FUNCTION void with_chosen(const ActivationChoice& choice, const Function& function) {
  with_position<0, BuiltInActivations::count>(
      choice.position, [&]<int position>() { function.template operator()<BuiltInActivations::at<position>>(); });
}

/// Calls function(activation) with the chosen one, unless it is Identity.
TEGULA_CALLS_ANY_FUNCTION
template <class T, class Function>
KOKKOS_FORCEINLINE_FUNCTION void with_activation(const ActivationChoice& choice, const Function& function) {
  with_chosen(choice, [&]<class Activation>() {
    if constexpr (std::is_same_v<Activation, LeakyRelu>) {
      function(ChosenLeakyRelu<T>{static_cast<T>(choice.slope)});
    } else if constexpr (!std::is_same_v<Activation, Identity>) {
      function(Activation());
    }
  });
}

/// On the host, for kernels that know their activation: calls function(activation) with the one that is chosen. False
/// if it is none of the list.
template <class... Activations, class Function>
bool with_built_in(ActivationList<Activations...>, const ActivationChoice& choice, const Function& function) {
  const auto try_one = [&]<class Activation>() {
    if (!is_activation<Activation>(choice)) return false;
    if constexpr (std::is_same_v<Activation, LeakyRelu>) {
      function(LeakyRelu(choice.slope));
    } else {
      function(Activation());
    }
    return true;
  };
  return (try_one.template operator()<Activations>() || ...);
}

}  // namespace Tegula::Impl

#endif
