// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_STORE_CUH
#define TEGULA_OUTER_STORE_CUH

#include "../Tegula_ApproximateActivation.cuh"
#include "../ptx/Tegula_PtxRelu.cuh"
#include "Tegula_OuterOperands.cuh"
#include "Tegula_OuterWord.hpp"

/// How the sums of a row leave. Neighbouring lanes have neighbouring elements, whatever rows are aligned to.

namespace Tegula::Impl {

/// The sums of a lane in a few rows.
template <class Sum>
using OuterSums = Sum[outer_rows_at_once][outer_lane_columns];

/// Stores what a warp has of rows of the operands' type, contiguous along rows, elements of 16 bits as words.
template <class Input>
class OuterRow {
  using Bits = bits_t<Input>;
  using Sum  = sum_t<Bits>;

  static constexpr int count = outer_lane_columns, run = OuterColumns<Bits>::run;

 public:
  /// Of rows of n columns.
  __device__ OuterRow(const OuterColumns<Bits>& columns, std::int32_t n) : lane_(columns.lane) {
#pragma unroll
    for (int r = 0; r < count / run; ++r)
      left_[r] = static_cast<std::int32_t>(static_cast<std::uint32_t>(n) - columns.of(r * run));
  }

  /// `to` is where the first of the lane's columns lies.
  __device__ void store(Bits* to, const Sum (&sums)[count]) const {
    if constexpr (run == 1) {
#pragma unroll
      for (int c = 0; c < count; ++c)
        if (left_[c] > 0) to[c * 32] = sums[c];
    } else {
      const bool is_even = are_words(to);
#pragma unroll
      for (int r = 0; r < count / run; ++r) {
        Bits* const at           = to + r * 32 * run;
        const std::uint32_t pair = rounded_pair<Input>(sums[r * run], sums[r * run + 1]);
        is_even ? store_outer_pair(at, pair, left_[r])
                : store_outer_odd(at, pair, __shfl_down_sync(0xFFFFFFFFu, pair, 1), lane_, left_[r]);
      }
    }
  }

 private:
  int lane_;
  std::int32_t left_[count / run];  // elements from the lane's first column, or a pair, to the end of the row
};

/// Any epilogue.
template <class Input>
class OuterElements {
  using Bits                 = bits_t<Input>;
  using Sum                  = sum_t<Bits>;
  using Any                  = ResultElement<Bits>;
  static constexpr int count = outer_lane_columns, at_once = outer_rows_at_once;

 public:
  static constexpr bool begins_with_bias = false;  // sums do not

  struct Asked {
    typename Any::Asked C[at_once][count];
  };

  /// Rows follow each other from `row` on.
  __device__ OuterElements(const OuterArguments<Bits>& arguments, const OuterColumns<Bits>& columns, std::int64_t row)
      : p_(arguments), columns_(columns), row_(row) {}

  /// What is added to the rows that lie `ahead` behind the next ones, and of which there are so many.
  __device__ Asked ask(int ahead, int rows) const {
    Asked asked{};
    if (p_.is_plain || p_.beta == 0) return asked;
#pragma unroll
    for (int i = 0; i < at_once; ++i)
#pragma unroll
      for (int c = 0; c < count; ++c)
        if (i < rows && is_inside(c)) asked.C[i][c] = Any::ask(p_.C.data, p_.C.element, at(p_.C, ahead + i, c));
    return asked;
  }

  /// Stores the next rows, of which there are so many, with what a bias adds.
  __device__ void store(int rows, OuterSums<Sum>& sums, const OuterSums<Sum>& added, const Asked& asked) {
#pragma unroll
    for (int i = 0; i < at_once; ++i)
#pragma unroll
      for (int c = 0; c < count; ++c) {
        sums[i][c] = p_.alpha * sums[i][c];
        if (p_.beta != 0) sums[i][c] += p_.beta * Any::value(p_.C.element, asked.C[i][c]);
        sums[i][c] += added[i][c];
      }
    if (p_.Z.data != nullptr) store_to(p_.Z, p_.how.stores_Z_in_runs, rows, sums);
    apply_activation(sums);
    store_to(p_.C, p_.how.stores_runs, rows, sums);
    row_ += at_once;
  }

 private:
  __device__ bool is_inside(int c) const { return columns_.of(c) < static_cast<std::uint32_t>(p_.n); }
  __device__ std::int64_t at(const AnyMatrix& matrix, int i, int c) const {
    return (row_ + i) * matrix.row_stride + columns_.of(c) * matrix.column_stride;
  }

  __device__ void apply_activation(OuterSums<Sum>& sums) const {
    const auto apply = [&](const auto& act) {
#pragma unroll
      for (auto& of_row : sums)
#pragma unroll
        for (Sum& value : of_row) act(value);
    };
    if constexpr (sizeof(Bits) == 2) {
      activate<Input>(p_.activation, p_.C.element, apply);
    } else {
      with_activation<Sum>(p_.activation,
                           [&](const auto& activation) { apply([&](Sum& value) { value = activation(value); }); });
    }
  }

  __device__ void store_to(const AnyMatrix& matrix, bool in_runs, int rows, const OuterSums<Sum>& values) const {
    if constexpr (sizeof(Bits) == 2) {
      if (in_runs) return store_words(matrix, rows, values);
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i)
#pragma unroll
      for (int c = 0; c < count; ++c)
        if (i < rows && is_inside(c)) Any::store(matrix.data, matrix.element, at(matrix, i, c), values[i][c]);
  }

  __device__ void store_words(const AnyMatrix& matrix, int rows, const OuterSums<Sum>& values) const {
    const OuterRow<Input> row(columns_, p_.n);
#pragma unroll
    for (int i = 0; i < at_once; ++i)
      if (i < rows) row.store(static_cast<Bits*>(matrix.data) + at(matrix, i, 0), values[i]);
  }

  const OuterArguments<Bits>& p_;
  const OuterColumns<Bits>& columns_;
  std::int64_t row_;
};

/// Plain results of the operands' type, contiguous along rows.
template <class Input, bool relu>
class OuterRuns {
  using Bits                 = bits_t<Input>;
  using Sum                  = sum_t<Bits>;
  static constexpr int count = outer_lane_columns, at_once = outer_rows_at_once;

 public:
  static constexpr bool begins_with_bias = true;

  struct Asked {};

  __device__ OuterRuns(const OuterArguments<Bits>& arguments, const OuterColumns<Bits>& columns, std::int64_t row)
      : to_(static_cast<Bits*>(arguments.C.data) + row * arguments.C.row_stride + columns.first),
        row_stride_(arguments.C.row_stride),
        of_row_(columns, arguments.n) {}

  __device__ Asked ask(int, int) const { return {}; }

  __device__ void store(int rows, OuterSums<Sum>& sums, const OuterSums<Sum>&, const Asked&) {
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (i < rows) store_row(sums[i]);
      to_ += row_stride_;
    }
  }

 private:
  __device__ void store_row(Sum (&sums)[count]) const {
    if (relu) {
#pragma unroll
      for (Sum& sum : sums) sum = ptx::relu(sum);
    }
    of_row_.store(to_, sums);
  }

  Bits* to_;  // the lane's first element of the next row
  std::int64_t row_stride_;
  OuterRow<Input> of_row_;
};

}  // namespace Tegula::Impl

#endif
