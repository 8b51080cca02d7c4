// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_RUNS_HPP
#define TEGULA_PORTABLE_RUNS_HPP

#include "Tegula_PortableLaunch.hpp"
#include "host/Tegula_HostProducts.hpp"
#include "product/Tegula_Product.hpp"

/// The operands and results of Tegula_Operand.hpp and Tegula_Result.hpp for types of a user's own on hosts, as the
/// functions on runs that the host family calls. Each run is one element here.

namespace Tegula::Impl {

/// A matrix of which elements are read and written.
template <class T>
struct RunMatrix {
  HostMatrix<T> matrix;

  KOKKOS_FUNCTION T read(std::int64_t i, std::int64_t j) const {
    const std::int64_t at = offset(i, j);
    if (matrix.elements.read == nullptr) return static_cast<const T*>(matrix.data)[at];
    T value;
    matrix.elements.read(matrix.data, at, 1, 1, &value);
    return value;
  }
  KOKKOS_FUNCTION void write(std::int64_t i, std::int64_t j, T value) const {
    const std::int64_t at = offset(i, j);
    if (matrix.elements.write == nullptr) {
      static_cast<T*>(matrix.data)[at] = value;
    } else {
      matrix.elements.write(matrix.data, at, 1, 1, &value);
    }
  }

 private:
  KOKKOS_FUNCTION std::int64_t offset(std::int64_t i, std::int64_t j) const {
    return i * matrix.row_stride + j * matrix.column_stride;
  }
};

/// A matrix, or dZ = dC act'(saved). Of so many lines.
template <class T>
struct RunOperand {
  HostOperand<T> operand;
  std::int64_t rows;

  KOKKOS_FUNCTION std::int64_t lines() const { return rows; }
  KOKKOS_FUNCTION bool depth_is_contiguous() const { return operand.matrix.column_stride == 1; }
  TEGULA_CALLS_ANY_FUNCTION
  KOKKOS_FUNCTION T operator()(std::int64_t line, std::int64_t k) const {
    T value               = RunMatrix<T>{operand.matrix}.read(line, k);
    const HostSlope slope = operand.slope;
    if (slope.function != nullptr) {
      const T saved = slope.is_constant ? T(0) : RunMatrix<T>{operand.saved}.read(line, k);
      slope.multiply(&saved, 1, &value);
    }
    return value;
  }
};

/// Z = alpha sum + beta matrix + bias, matrix = act(Z), or a gradient.
template <class T>
struct RunResult {
  HostResult<T> result;

  TEGULA_CALLS_ANY_FUNCTION
  KOKKOS_FUNCTION void store(std::int64_t i, std::int64_t j, T sum) const {
    const RunMatrix<T> matrix{result.matrix};
    T z = result.alpha == T(0) ? T(0) : result.alpha * sum;
    if (result.beta != T(0)) z += result.beta * matrix.read(i, j);
    if (result.bias.data != nullptr) z += RunMatrix<T>{result.bias}.read(i, j);
    if (result.Z.data != nullptr) RunMatrix<T>{result.Z}.write(i, j, z);
    if (result.activation.function != nullptr) result.activation.function(result.activation.functor, 1, &z);
    if (result.below != nullptr) {
      const T saved = result.below->reads_saved() ? RunMatrix<T>{result.below->saved}.read(i, j) : T(0);
      result.below->slope.multiply(&saved, 1, &z);
    }
    matrix.write(i, j, z);
  }

  KOKKOS_FUNCTION bool rows_are_contiguous() const { return result.matrix.row_stride == 1; }
  KOKKOS_FUNCTION bool sums_rows() const { return result.row_sums.data != nullptr; }
  KOKKOS_FUNCTION void store_row_sum(std::int64_t i, T sum) const {
    const RunMatrix<T> sums{result.row_sums};
    sums.write(0, i, result.adds_row_sums ? sum + sums.read(0, i) : sum);
  }
};

template <class T>
using RunProduct = Product<T, RunOperand<T>, RunOperand<T>, RunResult<T>>;

template <class T>
RunProduct<T> run_product(const HostSides<T>& sides, const ProductPlan& plan, char* workspace) {
  return make_product<T>(RunOperand<T>{sides.left, plan.shape.m}, RunOperand<T>{sides.right, plan.shape.n},
                         RunResult<T>{sides.result}, plan, workspace);
}

/// Calls launch(products...) with the products of a planned call. All that a run of one element calls is compiled for
/// the oldest processor.
template <class T, class Launch>
void with_run_products(const Call& call, const Plan& plan, char* workspace, const Launch& launch) {
  constexpr Instructions instructions = Instructions::baseline;
  if (!call.is_backward)
    return launch(run_product(HostSides<T>{host_left<T>(call, instructions), host_right<T>(call, instructions),
                                           host_result<T>(call, instructions, instructions)},
                              plan.products[0], workspace));
  std::optional<HostBelow<T>> below;
  const std::array<HostSides<T>, 2> sides = host_gradients<T>(call, instructions, instructions, below);
  launch(run_product(sides[0], plan.products[0], workspace),
         run_product(sides[1], plan.products[1], workspace + plan.products[0].workspace_bytes));
}

// In the library.
#define TEGULA_PORTABLE_RUNS(PREFIX, SPACE, T)                                              \
  PREFIX template void launch_products<T>(const SPACE&, const Plan&, const RunProduct<T>&); \
  PREFIX template void launch_products<T>(const SPACE&, const Plan&, const RunProduct<T>&, const RunProduct<T>&);
TEGULA_HOST_SPACES(TEGULA_PORTABLE_RUNS, extern, double)
TEGULA_HOST_SPACES(TEGULA_PORTABLE_RUNS, extern, float)

}  // namespace Tegula::Impl

#endif
