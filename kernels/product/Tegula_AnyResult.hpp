// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ANY_RESULT_HPP
#define TEGULA_ANY_RESULT_HPP

#include "Tegula_AnyElement.hpp"
#include "Tegula_ChosenActivation.hpp"

/// The results of Tegula_Result.hpp with element types and activation as data. They take runs of sums, too:
///   store_run(run, sums)    the elements of a run

namespace Tegula::Impl {

/// The epilogue of gemm: Z = alpha sum + beta C + bias, C = act(Z).
template <class T, class Activation = ActivationChoice>
struct AnyEpilogueResult {
  AnyMatrix C, bias, Z;
  Activation activation;
  T alpha, beta;

  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void store_run(const ElementRun& run, const T (&sums)[Count]) const {
    T z[Count], terms[Count];
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Count; ++i) z[i] = alpha * sums[i];
    if (beta != T(0)) {
      load_run(C, run, terms);
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Count; ++i) z[i] += beta * terms[i];
    }
    if (bias.data != nullptr) {
      load_run(bias, run, terms);
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Count; ++i) z[i] += terms[i];
    }
    if (Z.data != nullptr) Impl::store_run(Z, run, z);
    with_activation<T>(activation, [&](const auto& act) {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Count; ++i) z[i] = act(z[i]);
    });
    Impl::store_run(C, run, z);
  }
  KOKKOS_FUNCTION void store(std::int64_t i, std::int64_t j, T sum) const { store_run({i, j, 0, 0, 1}, {sum}); }

  KOKKOS_FUNCTION bool rows_are_contiguous() const { return C.row_stride == 1; }
  KOKKOS_FUNCTION bool sums_rows() const { return false; }
  KOKKOS_FUNCTION void store_row_sum(std::int64_t, T) const {}
};

/// What a gradient is multiplied by where it is dA and the layer below is known: act'(saved). Identity: by nothing.
struct AnySlopeBelow {
  AnyMatrix saved;  // null: act' is a constant
  ActivationChoice activation;

  TEGULA_CALLS_ANY_FUNCTION
  template <class T, int Count>
  KOKKOS_FORCEINLINE_FUNCTION void multiply(const ElementRun& run, T (&values)[Count]) const {
    if (is_activation<Identity>(activation)) return;
    T at[Count] = {};
    if (saved.data != nullptr) load_run(saved, run, at);
    with_activation<T>(activation, [&](const auto& act) {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Count; ++i) values[i] *= act.derivative(at[i]);
    });
  }
};

/// A gradient, and the bias gradient where there is one.
template <class T>
struct AnyGradientResult {
  AnyMatrix gradient, dbias;  // dbias: 1 x rows of the product
  T alpha;
  bool accumulate, accumulate_dbias;
  AnySlopeBelow below{};

  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void store_run(const ElementRun& run, const T (&sums)[Count]) const {
    T values[Count];
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Count; ++i) values[i] = alpha == T(0) ? T(0) : alpha * sums[i];
    if (accumulate) add(gradient, run, values);
    below.multiply(run, values);
    Impl::store_run(gradient, run, values);
  }
  KOKKOS_FUNCTION void store(std::int64_t i, std::int64_t j, T sum) const { store_run({i, j, 0, 0, 1}, {sum}); }

  KOKKOS_FUNCTION bool rows_are_contiguous() const { return gradient.row_stride == 1; }
  KOKKOS_FUNCTION bool sums_rows() const { return dbias.data != nullptr; }
  KOKKOS_FUNCTION void store_row_sum(std::int64_t i, T sum) const {
    const ElementRun run{0, i, 0, 0, 1};
    T values[1] = {sum};
    if (accumulate_dbias) add(dbias, run, values);
    Impl::store_run(dbias, run, values);
  }

 private:
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION static void add(const AnyMatrix& matrix, const ElementRun& run, T (&values)[Count]) {
    T old[Count];
    load_run(matrix, run, old);
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Count; ++i) values[i] += old[i];
  }
};

}  // namespace Tegula::Impl

#endif
