// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OPERAND_HPP
#define TEGULA_OPERAND_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_MatrixRef.hpp"

/// The operands of a product. Both are seen as lines x depth, where depth is the inner dimension: the right operand is
/// the transpose of what the formula has. An operand converts what it reads to the accumulator's type. Kernels read an
/// element at once by operator(), or several in two steps, with other work between them:
///   parts(read)      what read(matrix) brings of each matrix that the elements are formed from
///   form(parts, i)   element i of those; zeros_form_zero tells whether zeros form zero
/// all(holds) tells whether holds(matrix) for each matrix, and from(line, k) is the part of the operand from there on.

namespace Tegula::Impl {

/// An operand that is a matrix.
template <class Accumulator, class Storage>
struct MatrixOperand {
  static constexpr bool zeros_form_zero = true;

  MatrixRef<const Storage> matrix;

  KOKKOS_FUNCTION std::int64_t lines() const { return matrix.rows; }
  KOKKOS_FUNCTION bool depth_is_contiguous() const { return matrix.columns_are_contiguous(); }
  KOKKOS_FUNCTION bool lines_are_contiguous() const { return matrix.rows_are_contiguous(); }
  KOKKOS_FUNCTION Accumulator operator()(std::int64_t line, std::int64_t k) const {
    return static_cast<Accumulator>(matrix(line, k));
  }

  template <class Read>
  KOKKOS_FUNCTION auto parts(const Read& read) const {
    return read(matrix);
  }
  template <class Parts>
  KOKKOS_FUNCTION Accumulator form(const Parts& parts, int i) const {
    return static_cast<Accumulator>(parts[i]);
  }
  template <class Condition>
  KOKKOS_FUNCTION bool all(const Condition& holds) const {
    return holds(matrix);
  }
  KOKKOS_FUNCTION MatrixOperand from(std::int64_t line, std::int64_t k) const { return {matrix.from(line, k)}; }
};

/// The matrices from which elements of a gradient operand are formed.
template <class DCParts, class SavedParts>
struct GradientParts {
  DCParts dC;
  SavedParts saved;
};

/// The operand dZ = dC act'(saved), formed while it is read.
template <class Accumulator, class DCScalar, class SavedScalar, class ActivationType>
struct GradientOperand {
  MatrixRef<const DCScalar> dC;
  MatrixRef<const SavedScalar> saved;
  ActivationType activation;

  static constexpr bool zeros_form_zero = false;  // the derivative may not be finite at 0
  static constexpr bool saves_nothing   = ActivationType::saved == Saved::nothing;

  KOKKOS_FUNCTION std::int64_t lines() const { return dC.rows; }
  KOKKOS_FUNCTION bool depth_is_contiguous() const { return dC.columns_are_contiguous(); }
  KOKKOS_FUNCTION bool lines_are_contiguous() const { return dC.rows_are_contiguous(); }
  KOKKOS_FUNCTION Accumulator operator()(std::int64_t line, std::int64_t k) const {
    const auto gradient = static_cast<Accumulator>(dC(line, k));
    if constexpr (saves_nothing) {
      return gradient * static_cast<Accumulator>(activation.derivative(Accumulator(0)));
    } else {
      return gradient * static_cast<Accumulator>(activation.derivative(static_cast<Accumulator>(saved(line, k))));
    }
  }

  template <class Read>
  KOKKOS_FUNCTION auto parts(const Read& read) const {
    if constexpr (saves_nothing) {
      return read(dC);
    } else {
      return GradientParts<decltype(read(dC)), decltype(read(saved))>{read(dC), read(saved)};
    }
  }
  template <class Parts>
  KOKKOS_FUNCTION Accumulator form(const Parts& parts, int i) const {
    if constexpr (saves_nothing) {
      return static_cast<Accumulator>(parts[i]) * static_cast<Accumulator>(activation.derivative(Accumulator(0)));
    } else {
      return static_cast<Accumulator>(parts.dC[i]) *
             static_cast<Accumulator>(activation.derivative(static_cast<Accumulator>(parts.saved[i])));
    }
  }
  template <class Condition>
  KOKKOS_FUNCTION bool all(const Condition& holds) const {
    return holds(dC) && (saves_nothing || holds(saved));
  }
  KOKKOS_FUNCTION GradientOperand from(std::int64_t line, std::int64_t k) const {
    return {dC.from(line, k), saved.from(line, k), activation};
  }
};

}  // namespace Tegula::Impl

#endif
