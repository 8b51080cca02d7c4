// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCT_HPP
#define TEGULA_PRODUCT_HPP

#include "Tegula_MatrixRef.hpp"
#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// Elements of a matrix that lie at equal distances.
struct ElementRun {
  std::int64_t row, column;   // of the first
  int row_step, column_step;  // from one to the next
  int count;

  /// Of the first, and from one to the next, in elements of a matrix with these strides.
  TEGULA_HOST_DEVICE std::int64_t offset(std::int64_t row_stride, std::int64_t column_stride) const {
    return row * row_stride + column * column_stride;
  }
  TEGULA_HOST_DEVICE std::int64_t step(std::int64_t row_stride, std::int64_t column_stride) const {
    return row_step * row_stride + column_step * column_stride;
  }
};

/// Which part of a product a team computes.
struct TeamWork {
  std::int64_t row0, column0;   // first element of the tile
  std::int64_t k_begin, k_end;  // part of the inner dimension
  std::int64_t split;
  bool sums_rows;  // also sums the rows of the left operand
};

/// One product for the kernel: operands, result and how it is cut. Result(i, j) gets the sum over k of left(i, k)
/// right(j, k). With split-k every part writes its sums to a slice of the workspace instead, m x n sums and then m row
/// sums, and a second kernel adds the slices in order.
template <class Accumulator, class Left, class Right, class Result>
struct Product {
  using accumulator = Accumulator;

  Left left;
  Right right;
  Result result;
  GemmShape shape;
  TileShape tile;
  TileOrder order;
  std::int64_t k_split;
  std::int64_t split_k;
  Accumulator* partial_sums;  // null without split-k

  TEGULA_HOST_DEVICE std::int64_t teams() const { return order.tiles() * split_k; }

  TEGULA_HOST_DEVICE TeamWork work(std::int64_t team) const {
    const TileCoordinate at    = order(team % order.tiles());
    const std::int64_t split   = team / order.tiles();
    const std::int64_t k_begin = split * k_split;
    const std::int64_t k_stop  = k_begin + k_split;
    return {at.row * tile.m, at.column * tile.n,
            k_begin,         k_stop < shape.k ? k_stop : shape.k,
            split,           at.column == 0 && result.sums_rows()};
  }

  TEGULA_HOST_DEVICE void store(const TeamWork& work, std::int64_t i, std::int64_t j, Accumulator sum) const {
    if (partial_sums == nullptr) {
      result.store(i, j, sum);
    } else {
      slice(work.split)[i * shape.n + j] = sum;
    }
  }

  /// Stores the sums of a run, together where the result takes runs.
  template <int Count>
  TEGULA_HOST_DEVICE void store_run(const TeamWork& work, const ElementRun& run,
                                    const Accumulator (&sums)[Count]) const {
    if (partial_sums != nullptr) {
      Accumulator* const first = slice(work.split) + run.offset(shape.n, 1);
      const std::int64_t step  = run.step(shape.n, 1);
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Count; ++i) {
        if (i < run.count) first[i * step] = sums[i];
      }
    } else if constexpr (requires { result.store_run(run, sums); }) {
      result.store_run(run, sums);
    } else {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Count; ++i) {
        if (i < run.count) result.store(run.row + i * run.row_step, run.column + i * run.column_step, sums[i]);
      }
    }
  }

  /// Whether what is stored is row-major.
  TEGULA_HOST_DEVICE bool rows_are_contiguous() const {
    return partial_sums == nullptr && result.rows_are_contiguous();
  }

  TEGULA_HOST_DEVICE void store_row_sum(const TeamWork& work, std::int64_t i, Accumulator sum) const {
    if (partial_sums == nullptr) {
      result.store_row_sum(i, sum);
    } else {
      slice(work.split)[shape.m * shape.n + i] = sum;
    }
  }

  /// The sums of one slice: m x n of the product, then m row sums if they are asked for.
  TEGULA_HOST_DEVICE std::int64_t slice_size() const { return shape.m * shape.n + (result.sums_rows() ? shape.m : 0); }
  TEGULA_HOST_DEVICE Accumulator* slice(std::int64_t split) const { return partial_sums + split * slice_size(); }
};

/// The product that a plan describes, with the workspace for its partial sums.
template <class Accumulator, class Left, class Right, class Result>
Product<Accumulator, Left, Right, Result> make_product(const Left& left, const Right& right, const Result& result,
                                                       const ProductPlan& plan, char* workspace) {
  const auto partial_sums = plan.split_k > 1 ? reinterpret_cast<Accumulator*>(workspace) : nullptr;
  return {left, right, result, plan.shape, plan.tile, plan.order, plan.k_split, plan.split_k, partial_sums};
}

}  // namespace Tegula::Impl

#endif
