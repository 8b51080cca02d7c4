// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_CALL_HPP
#define TEGULA_CUDA_CALL_HPP

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "Tegula_ActivationChoice.hpp"
#include "Tegula_AnyMatrix.hpp"
#include "Tegula_CompiledActivation.hpp"
#include "Tegula_OutputSlope.hpp"

/// A product as the families for CUDA pass it on: everything that can be decided while a kernel runs is data, so that
/// the library holds a kernel or two for each tile and input type, not one for each problem type. Nothing here needs
/// Kokkos.

namespace Tegula::Impl {

/// Whether pairs may be stored: two neighbours in a row, the first in an even column, lie at a multiple of the size of
/// both.
inline bool may_store_pairs(const AnyMatrix& matrix) {
  return matrix.column_stride == 1 && matrix.row_stride % 2 == 0 &&
         reinterpret_cast<std::uintptr_t>(matrix.data) % (2 * element_bytes(matrix.element)) == 0;
}

/// Numbers of 16 bits as kernels name them, so that these need not know Kokkos' types.
enum class F16 : std::uint16_t {};
enum class Bf16 : std::uint16_t {};
template <>
inline constexpr Element element_of<F16> = Element::f16;
template <>
inline constexpr Element element_of<Bf16> = Element::bf16;

/// The type of elements that operands are passed on as: for both types of 16 bits, their bits.
template <class T>
using bits_t = std::conditional_t<sizeof(T) == 2, std::uint16_t, T>;

/// The type that products of such elements are summed in.
template <class Bits>
using sum_t = std::conditional_t<std::is_same_v<Bits, double>, double, float>;

/// A user's activation, and the kernels that it is compiled into; null: the activation is another.
struct CompiledFunctor {
  const CompiledActivation* kernels = nullptr;
  const void* functor               = nullptr;
};

/// Kernels that sum the columns of a result do so for every 64 rows, which a warpgroup has.
inline constexpr int rows_of_sums = 64;

/// What a product does for the layer below: its result is multiplied by act'(saved) before it is rounded and stored,
/// and `sums` gets the sums of the columns of what was not rounded, of every 64 rows. Tiles that may be moved inwards
/// (MovableTiles) would count elements twice.
template <class Bits>
struct BelowProduct {
  AnyMatrix saved{};                 // m x n, as C; null: there is no factor
  OutputSlope<sum_t<Bits>> slope{};  // likewise
  sum_t<Bits>* sums = nullptr;       // ceil(m / rows_of_sums) x n; null: not wanted

  bool any() const { return !slope.is_one || sums != nullptr; }
};

/// C = act(alpha left right^T + beta C + bias), and Z the argument of act; or of gemm_backward, with a layer below,
/// C = (alpha left right^T + beta C) act_below'(saved).
template <class Bits>
struct ProductCall {
  Element input;                      // of left and right
  MatrixRef<const Bits> left, right;  // m x k, n x k
  AnyMatrix C, Z, bias;               // m x n
  ActivationChoice activation;
  sum_t<Bits> alpha, beta;
  CompiledFunctor compiled = {};  // instead of `activation`
  BelowProduct<Bits> below = {};
};

/// C^T = act(alpha right left^T + beta C^T + bias^T).
template <class Bits>
ProductCall<Bits> transposed(ProductCall<Bits> call) {
  std::swap(call.left, call.right);
  for (AnyMatrix* matrix : {&call.C, &call.Z, &call.bias, &call.below.saved})
    std::swap(matrix->row_stride, matrix->column_stride);
  return call;
}

/// One for each product of a plan.
template <class Bits>
using ProductCalls = std::array<ProductCall<Bits>, 2>;

/// Calls whose operands have 16 bits.
using HalfCall  = ProductCall<std::uint16_t>;
using HalfCalls = ProductCalls<std::uint16_t>;

}  // namespace Tegula::Impl

#endif
