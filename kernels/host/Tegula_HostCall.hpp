// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_CALL_HPP
#define TEGULA_HOST_CALL_HPP

#include <cstdint>
#include <span>

#include "Tegula_Call.hpp"
#include "Tegula_HostPanels.hpp"
#include "product/Tegula_Product.hpp"

/// A planned call as the host's kernel takes it: plain data and functions on runs, so that the kernel is compiled once
/// for an accumulator T. A run is some elements of a line of a matrix. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// How a run of elements becomes accumulators, and back. Null if elements are accumulators.
struct HostElements {
  ReadRun read   = nullptr;
  WriteRun write = nullptr;
};

/// Element (i, j) lies i row_stride + j column_stride elements behind the first. No data: there is no such matrix.
template <class T>
struct HostMatrix {
  void* data              = nullptr;
  std::int64_t row_stride = 0, column_stride = 0;
  HostElements elements{};

  HostMatrix transposed() const { return {data, column_stride, row_stride, elements}; }

  /// The matrix if its elements are accumulators, or one without data.
  MatrixRef<T> in_place() const {
    if (elements.read != nullptr) return {};
    return {static_cast<T*>(data), 0, 0, row_stride, column_stride};
  }
};

/// run[e] = act(run[e]). No function: act(z) = z.
struct HostValue {
  const void* functor = nullptr;  // outlives the call
  ValueOfRun function = nullptr;
  bool is_relu        = false;  // which microkernels know
};

/// run[e] = from[e] act'(saved[e]). No function: act' = 1.
struct HostSlope {
  const void* functor = nullptr;
  SlopeOfRun function = nullptr;
  bool is_constant    = true;  // `saved` is not read

  void multiply(const void* saved, const void* from, int count, void* run) const {
    function(functor, saved, from, count, run);
  }
  void multiply(const void* saved, int count, void* run) const { multiply(saved, run, count, run); }
};

/// An operand, lines x depth: a matrix, or dZ = dC act'(saved), formed while it is packed.
template <class T>
struct HostOperand {
  HostMatrix<T> matrix;
  HostMatrix<T> saved{};
  HostSlope slope{};
  const T* panels    = nullptr;  // all of its lines as they are packed for the columns of register tiles, or null
  std::int64_t depth = 0;        // of these

  bool is_formed() const { return slope.function != nullptr; }
  bool lines_are_contiguous() const { return matrix.row_stride == 1; }

  /// What a microkernel can read where it lies, or a matrix without data.
  MatrixRef<const T> in_place() const {
    const MatrixRef<T> m = matrix.in_place();
    if (is_formed()) return {};
    return {m.data, m.rows, m.columns, m.row_stride, m.column_stride};
  }
};

/// act'(saved) of the layer below, by which dA is multiplied.
template <class T>
struct HostBelow {
  HostMatrix<T> saved;
  HostSlope slope;

  bool reads_saved() const { return !slope.is_constant; }
};

/// Where sums go: Z = alpha sum + beta matrix + bias, matrix = act(Z); or matrix = Z act'(saved) of the layer below.
/// With alpha = 0 the sums do not matter. The sums of the rows of the left operand overwrite `row_sums`, or are added
/// to them.
template <class T>
struct HostResult {
  HostMatrix<T> matrix;
  T alpha, beta;
  HostMatrix<T> bias{}, Z{};
  HostValue activation{};
  HostMatrix<T> row_sums{};  // a row
  bool adds_row_sums        = false;
  const HostBelow<T>* below = nullptr;  // what the matrix is multiplied by besides; null: by nothing

  bool sums_rows() const { return row_sums.data != nullptr; }
};

/// A product before it is cut.
template <class T>
struct HostSides {
  HostOperand<T> left, right;
  HostResult<T> result;
};

/// A product, and how the kernel computes it.
template <class T>
struct HostProduct : Product<T, HostOperand<T>, HostOperand<T>, HostResult<T>> {
  using Base = Product<T, HostOperand<T>, HostOperand<T>, HostResult<T>>;

  bool packs_left, packs_right, transposed, inner;
  PanelScratch scratch;
  int panels_at_once;  // of columns

  /// make_left() and so on return the operands and the result: to copy them would take as long as a small product.
  template <class MakeLeft, class MakeRight, class MakeResult>
  HostProduct(const MakeLeft& make_left, const MakeRight& make_right, const MakeResult& make_result,
              const ProductPlan& plan, char* workspace)
      : Base{make_left(),  make_right(), make_result(),
             plan.shape,   plan.tile,    plan.order,
             plan.k_split, plan.split_k, plan.split_k > 1 ? reinterpret_cast<T*>(workspace) : nullptr},
        packs_left(plan.packs_left),
        packs_right(plan.packs_right),
        transposed(plan.transposed),
        inner(plan.inner),
        scratch(plan.panels),
        panels_at_once(plan.panels_at_once) {}

  /// The m x n sums of a slice; without data if there is no split-k.
  HostMatrix<T> slice_of(std::int64_t split) const {
    if (this->partial_sums == nullptr) return {};
    return {this->slice(split), this->shape.n, 1};
  }
};

/// The teams of the first product come first, then those of the second.
template <class T>
struct HostCall {
  std::span<const HostProduct<T>> products;
  Instructions instructions;
  const Plan* plan;
};

}  // namespace Tegula::Impl

#endif
