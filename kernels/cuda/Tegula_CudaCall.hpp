// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_CALL_HPP
#define TEGULA_CUDA_CALL_HPP

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "Tegula_Activation.hpp"
#include "Tegula_MatrixRef.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_Problem.hpp"
#include "Tegula_Scalar.hpp"

/// A call as the families for CUDA pass it on: everything that can be decided while a kernel runs is data, so that the
/// library holds a kernel or two for each tile and input type, not one for each problem type.

namespace Tegula::Impl {

/// Element types.
enum class Element : std::uint8_t { f16, bf16, f32, f64 };

TEGULA_HOST_DEVICE constexpr int element_bytes(Element element) {
  return element == Element::f64 ? 8 : element == Element::f32 ? 4 : 2;
}

template <class T>
inline constexpr bool is_half = TEGULA_HAS_HALF&& std::is_same_v<T, half_t>;
template <class T>
inline constexpr bool is_bhalf = TEGULA_HAS_BHALF&& std::is_same_v<T, bhalf_t>;
template <class T>
inline constexpr bool is_16_bit = is_half<T> || is_bhalf<T>;

template <class T>
inline constexpr bool is_half_or_float = is_16_bit<T> || std::is_same_v<T, float>;

/// What a product of T may be stored as.
template <class Result, class T>
inline constexpr bool is_half_result = std::is_same_v<Result, T> || std::is_same_v<Result, float>;

template <class T>
KOKKOS_FUNCTION constexpr Element element_of() {
  return is_half<T> ? Element::f16 : is_bhalf<T> ? Element::bf16 : sizeof(T) == 8 ? Element::f64 : Element::f32;
}

/// The activations that kernels choose from while they run.
template <class... Activations>
struct ActivationList {
  /// Position of an activation, or -1.
  template <class Activation>
  KOKKOS_FUNCTION static constexpr int position() {
    int at = 0, found = -1;
    ((found = std::is_same_v<Activation, Activations> ? at : found, ++at), ...);
    return found;
  }
};
using BuiltInActivations = ActivationList<Identity, Relu, LeakyRelu, Tanh, Sigmoid, Silu, GeluTanh, GeluErf>;

struct ActivationChoice {
  int position = 0;  // in BuiltInActivations
  double slope = 0;  // of LeakyRelu
};

template <class Activation>
KOKKOS_FUNCTION bool is_activation(const ActivationChoice& choice) {
  return choice.position == BuiltInActivations::position<Activation>();
}

template <class Activation>
ActivationChoice activation_choice(const Activation& activation) {
  ActivationChoice choice{BuiltInActivations::position<Activation>()};
  if constexpr (std::is_same_v<Activation, LeakyRelu>) choice.slope = activation.slope;
  return choice;
}

/// A matrix whose element type is data, or a vector that stands for all of its rows or columns. Null: there is none.
struct AnyMatrix {
  void* data              = nullptr;
  Element element         = Element::f32;
  std::int64_t row_stride = 0, column_stride = 0;

  /// Whether columns are contiguous, and rows are not.
  bool is_column_major() const { return column_stride != 1 && row_stride == 1; }
};

template <class T>
AnyMatrix any_matrix(const MatrixRef<T>& matrix) {
  using Stored = std::remove_const_t<T>;
  return {const_cast<Stored*>(matrix.data), element_of<Stored>(), matrix.row_stride, matrix.column_stride};
}

/// Whether pairs may be stored: two neighbours in a row, the first in an even column, lie at a multiple of the size of
/// both.
inline bool may_store_pairs(const AnyMatrix& matrix) {
  return matrix.column_stride == 1 && matrix.row_stride % 2 == 0 &&
         reinterpret_cast<std::uintptr_t>(matrix.data) % (2 * element_bytes(matrix.element)) == 0;
}

/// The type of elements that operands are passed on as: for both types of 16 bits, their bits.
template <class T>
using bits_t = std::conditional_t<is_16_bit<T>, std::uint16_t, T>;

/// The type that products of such elements are summed in.
template <class Bits>
using sum_t = std::conditional_t<std::is_same_v<Bits, double>, double, float>;

/// C = act(alpha left right^T + beta C + bias), and Z the argument of act.
template <class Bits>
struct ProductCall {
  Element input;                      // of left and right
  MatrixRef<const Bits> left, right;  // m x k, n x k
  AnyMatrix C, Z, bias;               // m x n
  ActivationChoice activation;
  sum_t<Bits> alpha, beta;
};

/// C^T = act(alpha right left^T + beta C^T + bias^T).
template <class Bits>
ProductCall<Bits> transposed(ProductCall<Bits> call) {
  std::swap(call.left, call.right);
  for (AnyMatrix* matrix : {&call.C, &call.Z, &call.bias}) std::swap(matrix->row_stride, matrix->column_stride);
  return call;
}

/// One for each product of a plan.
template <class Bits>
using ProductCalls = std::array<ProductCall<Bits>, 2>;

/// Calls whose operands have 16 bits.
using HalfCall  = ProductCall<std::uint16_t>;
using HalfCalls = ProductCalls<std::uint16_t>;

template <class T>
MatrixRef<const bits_t<T>> bits_of(const MatrixRef<const T>& matrix) {
  return {reinterpret_cast<const bits_t<T>*>(matrix.data), matrix.rows, matrix.columns, matrix.row_stride,
          matrix.column_stride};
}

template <class A, class C, class Bias, class Z, class Activation>
ProductCall<bits_t<A>> product_call(const GemmProblem<A, A, C, Bias, Z, Activation>& p) {
  return {element_of<A>(), bits_of(p.A),       bits_of(p.B.transposed()),       any_matrix(p.C),
          any_matrix(p.Z), any_matrix(p.bias), activation_choice(p.activation), p.alpha,
          p.beta};
}

/// dA (+)= alpha dZ B^T and dB^T (+)= alpha dZ^T A, for a dZ that lies in memory.
template <class T, class Saved, class DA, class DB, class DBias, class Activation>
ProductCalls<bits_t<T>> product_calls(const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& p,
                                      const MatrixRef<const bits_t<T>>& dZ) {
  const auto call = [&](const GemmShape& shape, const auto& left, const auto& right, const auto& gradient,
                        Update update) {
    const sum_t<bits_t<T>> beta = update == Update::accumulate ? 1 : 0;
    return ProductCall<bits_t<T>>{element_of<T>(),   left, right, any_matrix(gradient), {}, {}, {},
                                  p.alpha_of(shape), beta};
  };
  return {call(p.dA_shape(), dZ, bits_of(p.B), p.dA, p.update_dA),
          call(p.dB_shape(), dZ.transposed(), bits_of(p.A.transposed()), p.dB.transposed(), p.update_dB)};
}

/// Problems that families for tensor cores take: half_t or bhalf_t times the same, to the same or float, with an
/// activation that Tegula brings.
template <class Problem>
inline constexpr bool is_half_problem = false;

template <class A, class C, class Bias, class Z, class Activation>
inline constexpr bool is_half_problem<GemmProblem<A, A, C, Bias, Z, Activation>> =
    is_16_bit<A>&& is_half_result<C, A>&& is_half_result<Z, A>&& is_half_or_float<Bias>&&
    BuiltInActivations::position<Activation>() >= 0;

template <class T, class Saved, class DA, class DB, class DBias, class Activation>
inline constexpr bool is_half_problem<GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>> =
    is_16_bit<T>&& is_half_or_float<Saved>&& is_half_result<DA, T>&& is_half_result<DB, T>&& is_half_or_float<DBias>&&
    BuiltInActivations::position<Activation>() >= 0;

/// Problems of one element type throughout, with an activation that Tegula brings.
template <class Problem, class T>
inline constexpr bool is_uniform_problem = false;

template <class T, class Activation>
inline constexpr bool is_uniform_problem<GemmProblem<T, T, T, T, T, Activation>, T> =
    BuiltInActivations::position<Activation>() >= 0;

template <class T, class Activation>
inline constexpr bool is_uniform_problem<GemmBackwardProblem<T, T, T, T, T, T, T, Activation>, T> =
    BuiltInActivations::position<Activation>() >= 0;

/// Such problems of gemm alone, and of gemm_backward alone.
template <class Problem, class T>
inline constexpr bool is_uniform_gemm = false;

template <class Problem, class T>
inline constexpr bool is_uniform_backward = is_uniform_problem<Problem, T> && !is_uniform_gemm<Problem, T>;

template <class T, class Activation>
inline constexpr bool is_uniform_gemm<GemmProblem<T, T, T, T, T, Activation>, T> =
    is_uniform_problem<GemmProblem<T, T, T, T, T, Activation>, T>;

}  // namespace Tegula::Impl

#endif
