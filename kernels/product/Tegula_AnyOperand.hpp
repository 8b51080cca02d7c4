// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ANY_OPERAND_HPP
#define TEGULA_ANY_OPERAND_HPP

#include "Tegula_AnyElement.hpp"
#include "Tegula_Call.hpp"
#include "Tegula_ChosenActivation.hpp"
#include "Tegula_MatrixRef.hpp"

/// The operands of Tegula_Operand.hpp with element types and activation as data.

namespace Tegula::Impl {

/// A strided reference whose strides count bytes, so that walking through a matrix does not depend on its element type.
template <class T>
struct ByteRef {
  using value_type = T;

  const char* data;
  std::int64_t row_bytes, column_bytes;

  KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::int64_t i, std::int64_t j) const {
    return *reinterpret_cast<T*>(data + i * row_bytes + j * column_bytes);
  }
};

/// An operand that is a matrix.
template <class T>
struct AnyOperand {
  static constexpr bool zeros_form_zero = true;

  const char* data;
  std::int64_t rows, row_bytes, column_bytes;
  Element element;

  template <class Storage>
  explicit AnyOperand(const MatrixRef<const Storage>& matrix)
      : data(reinterpret_cast<const char*>(matrix.data)),
        rows(matrix.rows),
        row_bytes(matrix.row_stride * static_cast<std::int64_t>(sizeof(Storage))),
        column_bytes(matrix.column_stride * static_cast<std::int64_t>(sizeof(Storage))),
        element(element_of<Storage>) {}
  explicit AnyOperand(const CallMatrix& matrix)
      : data(static_cast<const char*>(matrix.data)),
        rows(matrix.rows),
        row_bytes(matrix.row_stride * element_bytes(matrix.element)),
        column_bytes(matrix.column_stride * element_bytes(matrix.element)),
        element(matrix.element) {}

  KOKKOS_FUNCTION std::int64_t lines() const { return rows; }
  KOKKOS_FUNCTION bool depth_is_contiguous() const { return column_bytes == element_bytes(element); }
  KOKKOS_FORCEINLINE_FUNCTION T operator()(std::int64_t line, std::int64_t k) const {
    return with_element<T>(element, [&]<class Storage>() { return static_cast<T>(as<Storage>()(line, k)); });
  }

  /// The matrix, whose elements are of this type.
  template <class Storage>
  KOKKOS_FORCEINLINE_FUNCTION ByteRef<const Storage> as() const {
    return {data, row_bytes, column_bytes};
  }

  template <class Condition>
  bool all(const Condition& holds) const {
    return with_element<T>(element, [&]<class Storage>() {
      constexpr std::int64_t bytes = sizeof(Storage);
      return holds(MatrixRef<const Storage>{reinterpret_cast<const Storage*>(data), rows, 0, row_bytes / bytes,
                                            column_bytes / bytes});
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION AnyOperand from(std::int64_t line, std::int64_t k) const {
    AnyOperand rest = *this;
    rest.data += line * row_bytes + k * column_bytes;
    rest.rows -= line;
    return rest;
  }
};

/// The operand dZ = dC act'(saved), formed while it is read. With Identity `saved` is not read.
template <class T>
struct AnyGradientOperand {
  static constexpr bool zeros_form_zero = false;  // the derivative may not be finite at 0

  AnyOperand<T> dC, saved;
  ActivationChoice activation;

  KOKKOS_FUNCTION bool reads_saved() const { return !is_activation<Identity>(activation); }
  KOKKOS_FUNCTION std::int64_t lines() const { return dC.lines(); }
  KOKKOS_FUNCTION bool depth_is_contiguous() const { return dC.depth_is_contiguous(); }
  KOKKOS_FORCEINLINE_FUNCTION T operator()(std::int64_t line, std::int64_t k) const {
    T dZ = dC(line, k);
    with_activation<T>(activation, [&](const auto& act) { dZ *= act.derivative(saved(line, k)); });
    return dZ;
  }

  template <class Condition>
  bool all(const Condition& holds) const {
    return dC.all(holds) && (!reads_saved() || saved.all(holds));
  }
  KOKKOS_FORCEINLINE_FUNCTION AnyGradientOperand from(std::int64_t line, std::int64_t k) const {
    return {dC.from(line, k), saved.from(line, k), activation};
  }
};

}  // namespace Tegula::Impl

#endif
