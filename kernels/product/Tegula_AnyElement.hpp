// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCT_ANY_ELEMENT_HPP
#define TEGULA_PRODUCT_ANY_ELEMENT_HPP

#include "Tegula_AnyMatrix.hpp"
#include "Tegula_Product.hpp"
#include "Tegula_Scalar.hpp"

/// Elements whose type is data, for kernels on any space. All threads take the same branch, once for several elements.

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
