// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RESULT_HPP
#define TEGULA_RESULT_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_KokkosCompat.hpp"
#include "Tegula_MatrixRef.hpp"

/// Where the sums of a kernel go, through the epilogue. A result has
///   store(i, j, sum)        element (i, j) of the product
///   store_row_sum(i, sum)   the sum of row i of the left operand, if sums_rows()
///   rows_are_contiguous()   whether elements of a column are neighbours in memory

namespace Tegula::Impl {

/// The epilogue of gemm: Z = alpha sum + beta C + bias, C = act(Z).
template <class Accumulator, class CScalar, class BiasScalar, class ZScalar, class ActivationType>
struct EpilogueResult {
  MatrixRef<CScalar> C;
  MatrixRef<const BiasScalar> bias;
  MatrixRef<ZScalar> Z;
  ActivationType activation;
  Accumulator alpha;
  Accumulator beta;

  KOKKOS_FUNCTION void store(std::int64_t i, std::int64_t j, Accumulator sum) const {
    Accumulator z = alpha * sum;
    if (beta != Accumulator(0)) z += beta * static_cast<Accumulator>(C(i, j));
    if (bias.data != nullptr) z += static_cast<Accumulator>(bias(i, j));
    if (Z.data != nullptr) Z(i, j) = static_cast<ZScalar>(z);
    C(i, j) = static_cast<CScalar>(activation(z));
  }

  KOKKOS_FUNCTION bool rows_are_contiguous() const { return C.rows_are_contiguous(); }
  KOKKOS_FUNCTION bool sums_rows() const { return false; }
  KOKKOS_FUNCTION void store_row_sum(std::int64_t, Accumulator) const {}
};

/// A gradient, and the bias gradient where there is one.
template <class Accumulator, class GradientScalar, class BiasScalar>
struct GradientResult {
  MatrixRef<GradientScalar> gradient;
  MatrixRef<BiasScalar> dbias;  // 1 x rows of the product
  Accumulator alpha;
  bool accumulate;
  bool accumulate_dbias;

  KOKKOS_FUNCTION void store(std::int64_t i, std::int64_t j, Accumulator sum) const {
    Accumulator value = alpha == Accumulator(0) ? Accumulator(0) : alpha * sum;
    if (accumulate) value += static_cast<Accumulator>(gradient(i, j));
    gradient(i, j) = static_cast<GradientScalar>(value);
  }

  KOKKOS_FUNCTION bool rows_are_contiguous() const { return gradient.rows_are_contiguous(); }
  KOKKOS_FUNCTION bool sums_rows() const { return dbias.data != nullptr; }
  KOKKOS_FUNCTION void store_row_sum(std::int64_t i, Accumulator sum) const {
    if (accumulate_dbias) sum += static_cast<Accumulator>(dbias(0, i));
    dbias(0, i) = static_cast<BiasScalar>(sum);
  }
};

/// dA as dZ of the layer below, and the dbias of that layer.
template <class Accumulator, class GradientScalar, class SavedScalar, class BiasScalar, class ActivationType>
struct ResultBelow {
  MatrixRef<GradientScalar> gradient;
  MatrixRef<const SavedScalar> saved;  // not read if the derivative is a constant
  MatrixRef<BiasScalar> dbias;         // 1 x columns of the product
  ActivationType activation;
  Accumulator alpha;
  bool accumulate;
  bool accumulate_dbias;

  KOKKOS_FUNCTION void store(std::int64_t i, std::int64_t j, Accumulator sum) const {
    Accumulator value = alpha == Accumulator(0) ? Accumulator(0) : alpha * sum;
    if (accumulate) value += static_cast<Accumulator>(gradient(i, j));
    Accumulator at(0);
    if constexpr (ActivationType::saved != Saved::nothing) at = static_cast<Accumulator>(saved(i, j));
    gradient(i, j) = static_cast<GradientScalar>(value * static_cast<Accumulator>(activation.derivative(at)));
  }

  KOKKOS_FUNCTION bool rows_are_contiguous() const { return gradient.rows_are_contiguous(); }
  KOKKOS_FUNCTION bool sums_rows() const { return false; }
  KOKKOS_FUNCTION void store_row_sum(std::int64_t, Accumulator) const {}

  /// Of the sums of columns, which are added up behind the product.
  KOKKOS_FUNCTION void store_column_sum(std::int64_t j, Accumulator sum) const {
    if (accumulate_dbias) sum += static_cast<Accumulator>(dbias(0, j));
    dbias(0, j) = static_cast<BiasScalar>(sum);
  }
};

}  // namespace Tegula::Impl

#endif
