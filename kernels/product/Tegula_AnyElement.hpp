// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCT_ANY_ELEMENT_HPP
#define TEGULA_PRODUCT_ANY_ELEMENT_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_ActivationChoice.hpp"
#include "Tegula_AnyMatrix.hpp"
#include "Tegula_Product.hpp"
#include "Tegula_Scalar.hpp"

/// Elements and activations whose type is data, for kernels on any space. All threads take the same branch, once for
/// several elements.

namespace Tegula::Impl {

/// Calls function.operator()<Storage>() with the type of elements that accumulate in T, and returns what it returns.
TEGULA_CALLS_ANY_FUNCTION
template <class T, class Function>
KOKKOS_FORCEINLINE_FUNCTION auto with_element([[maybe_unused]] Element element, const Function& function) {
  if constexpr (std::is_same_v<T, double>) {
    return function.template operator()<double>();
  } else {
#if TEGULA_HAS_HALF
    if (element == Element::f16) return function.template operator()<half_t>();
#endif
#if TEGULA_HAS_BHALF
    if (element == Element::bf16) return function.template operator()<bhalf_t>();
#endif
    return function.template operator()<float>();
  }
}

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

/// Reads a run of at most Count elements as T; values behind it are zero.
template <class T, int Count>
KOKKOS_FORCEINLINE_FUNCTION void load_run(const AnyMatrix& matrix, const ElementRun& run, T (&values)[Count]) {
  with_element<T>(matrix.element, [&]<class Storage>() {
    const auto* const first =
        static_cast<const Storage*>(matrix.data) + run.offset(matrix.row_stride, matrix.column_stride);
    const std::int64_t step = run.step(matrix.row_stride, matrix.column_stride);
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Count; ++i) values[i] = i < run.count ? static_cast<T>(first[i * step]) : T(0);
  });
}

/// Rounds values to the elements of a run.
template <class T, int Count>
KOKKOS_FORCEINLINE_FUNCTION void store_run(const AnyMatrix& matrix, const ElementRun& run, const T (&values)[Count]) {
  with_element<T>(matrix.element, [&]<class Storage>() {
    auto* const first       = static_cast<Storage*>(matrix.data) + run.offset(matrix.row_stride, matrix.column_stride);
    const std::int64_t step = run.step(matrix.row_stride, matrix.column_stride);
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Count; ++i) {
      if (i < run.count) first[i * step] = static_cast<Storage>(values[i]);
    }
  });
}

}  // namespace Tegula::Impl

#endif
