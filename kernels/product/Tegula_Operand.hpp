// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OPERAND_HPP
#define TEGULA_OPERAND_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_MatrixRef.hpp"

/// What kernels multiply. Both operands of a product are seen as lines x depth, where depth is the inner
/// dimension: the right operand is the transpose of what stands in the formula. An operand converts what it reads to
/// the accumulator's type.

namespace Tegula::Impl {

/// An operand that is a matrix.
template <class Accumulator, class Storage>
struct MatrixOperand {
  MatrixRef<const Storage> matrix;

  KOKKOS_FUNCTION std::int64_t lines() const { return matrix.rows; }
  KOKKOS_FUNCTION bool depth_is_contiguous() const { return matrix.columns_are_contiguous(); }
  KOKKOS_FUNCTION bool lines_are_contiguous() const { return matrix.rows_are_contiguous(); }
  KOKKOS_FUNCTION Accumulator operator()(std::int64_t line, std::int64_t k) const {
    return static_cast<Accumulator>(matrix(line, k));
  }
};

/// The operand dZ = dC act'(saved), formed while it is read.
template <class Accumulator, class DCScalar, class SavedScalar, class ActivationType>
struct GradientOperand {
  MatrixRef<const DCScalar> dC;
  MatrixRef<const SavedScalar> saved;
  ActivationType activation;

  KOKKOS_FUNCTION std::int64_t lines() const { return dC.rows; }
  KOKKOS_FUNCTION bool depth_is_contiguous() const { return dC.columns_are_contiguous(); }
  KOKKOS_FUNCTION bool lines_are_contiguous() const { return dC.rows_are_contiguous(); }
  KOKKOS_FUNCTION Accumulator operator()(std::int64_t line, std::int64_t k) const {
    const auto gradient = static_cast<Accumulator>(dC(line, k));
    if constexpr (ActivationType::saved == Saved::nothing) {
      return gradient * static_cast<Accumulator>(activation.derivative(Accumulator(0)));
    } else {
      return gradient * static_cast<Accumulator>(activation.derivative(static_cast<Accumulator>(saved(line, k))));
    }
  }
};

}  // namespace Tegula::Impl

#endif
