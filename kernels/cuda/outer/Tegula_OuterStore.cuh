// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_STORE_CUH
#define TEGULA_OUTER_STORE_CUH

#include "../Tegula_ResultElement.cuh"
#include "../direct/Tegula_DirectFragment.cuh"
#include "../ptx/Tegula_PtxRelu.cuh"
#include "Tegula_OuterArguments.hpp"

/// How the sums of a row leave. Neighbouring lanes have neighbouring elements, whatever rows are aligned to.

namespace Tegula::Impl {

/// The columns of a lane: single ones, or, of 16 bits, pairs of neighbours. Without a sign, they may be counted beyond
/// the last one that there can be.
template <class Bits>
struct OuterColumns {
  static constexpr int run = sizeof(Bits) == 2 ? 2 : 1;
  int lane;
  std::uint32_t first;

  __device__ OuterColumns(std::uint32_t tile, int of_lane) : lane(of_lane), first(tile + of_lane * run) {}
  __device__ std::uint32_t of(int c) const { return first + c / run * 32 * run + c % run; }
};

/// The sums of a lane in a few rows.
template <class Sum>
using OuterSums = Sum[outer_rows_at_once][outer_lane_columns];

/// Any epilogue.
template <class Bits>
class OuterElements {
  using Sum                  = sum_t<Bits>;
  using Any                  = ResultElement<Bits>;
  static constexpr int count = outer_lane_columns, at_once = outer_rows_at_once;

 public:
  struct Asked {
    typename Any::Asked C[at_once][count];
  };

  /// Rows follow each other from `row` on.
  __device__ OuterElements(const OuterArguments<Bits>& arguments, const OuterColumns<Bits>& columns, std::int64_t row)
      : p_(arguments), columns_(columns), row_(row) {
#pragma unroll
    for (int c = 0; c < count; ++c)
      bias_[c] = p_.bias != nullptr && !p_.has_bias_of_rows && is_inside(c) ? bias(p_, columns_.of(c)) : Sum(0);
  }

  /// That of a row or column.
  __device__ static Sum bias(const OuterArguments<Bits>& p, std::int64_t line) {
    return Any::value(p.bias_element, Any::ask(p.bias, p.bias_element, line * p.bias_stride));
  }

  /// What is added to the next rows, of which there are so many.
  __device__ Asked ask(int rows) const {
    Asked asked{};
    if (p_.is_plain || p_.beta == 0) return asked;
#pragma unroll
    for (int i = 0; i < at_once; ++i)
#pragma unroll
      for (int c = 0; c < count; ++c)
        if (i < rows && is_inside(c)) asked.C[i][c] = Any::ask(p_.C.data, p_.C.element, at(p_.C, i, c));
    return asked;
  }

  /// What a sum begins with.
  __device__ Sum first(int, Sum) const { return 0; }

  /// Stores the next rows.
  __device__ void store(int rows, OuterSums<Sum>& sums, const Sum (&bias_of_row)[at_once], const Asked& asked) {
#pragma unroll
    for (int i = 0; i < at_once; ++i)
#pragma unroll
      for (int c = 0; c < count; ++c) {
        sums[i][c] = p_.alpha * sums[i][c];
        if (p_.beta != 0) sums[i][c] += p_.beta * Any::value(p_.C.element, asked.C[i][c]);
        sums[i][c] += bias_[c] + bias_of_row[i];
      }
    if (p_.Z.data != nullptr) store_to(p_.Z, rows, sums);
    with_activation<Sum>(p_.activation, [&](const auto& activation) {
#pragma unroll
      for (auto& of_row : sums)
#pragma unroll
        for (Sum& value : of_row) value = activation(value);
    });
    store_to(p_.C, rows, sums);
    row_ += at_once;
  }

 private:
  __device__ bool is_inside(int c) const { return columns_.of(c) < static_cast<std::uint32_t>(p_.n); }
  __device__ std::int64_t at(const AnyMatrix& matrix, int i, int c) const {
    return (row_ + i) * matrix.row_stride + columns_.of(c) * matrix.column_stride;
  }
  __device__ void store_to(const AnyMatrix& matrix, int rows, const OuterSums<Sum>& values) const {
#pragma unroll
    for (int i = 0; i < at_once; ++i)
#pragma unroll
      for (int c = 0; c < count; ++c)
        if (i < rows && is_inside(c)) Any::store(matrix.data, matrix.element, at(matrix, i, c), values[i][c]);
  }

  const OuterArguments<Bits>& p_;
  const OuterColumns<Bits>& columns_;
  std::int64_t row_;
  Sum bias_[count];
};

/// Plain results of the operands' type, contiguous along rows. A sum begins with what a bias adds to it.
template <class Input, bool relu>
class OuterRuns {
  using Bits                 = bits_t<Input>;
  using Sum                  = sum_t<Bits>;
  static constexpr int count = outer_lane_columns, at_once = outer_rows_at_once;

 public:
  struct Asked {};

  __device__ OuterRuns(const OuterArguments<Bits>& arguments, const OuterColumns<Bits>& columns, std::int64_t row)
      : to_(static_cast<Bits*>(arguments.C.data) + row * arguments.C.row_stride + columns.first),
        row_stride_(arguments.C.row_stride),
        lane_(columns.lane) {
    const bool has_bias = arguments.bias != nullptr && !arguments.has_bias_of_rows;
#pragma unroll
    for (int c = 0; c < count; ++c) {
      const auto left = static_cast<std::int32_t>(static_cast<std::uint32_t>(arguments.n) - columns.of(c));
      if (c % run == 0) left_[c / run] = left;
      bias_[c] = has_bias && left > 0 ? OuterElements<Bits>::bias(arguments, columns.of(c)) : Sum(0);
    }
  }

  __device__ Asked ask(int) const { return {}; }
  __device__ Sum first(int c, Sum bias_of_row) const { return bias_[c] + bias_of_row; }

  __device__ void store(int rows, OuterSums<Sum>& sums, const Sum (&)[at_once], const Asked&) {
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (i < rows) store_row(sums[i]);
      to_ += row_stride_;
    }
  }

 private:
  static constexpr int run = OuterColumns<Bits>::run;

  __device__ void store_row(Sum (&sums)[count]) const {
    if (relu) {
#pragma unroll
      for (Sum& sum : sums) sum = ptx::relu(sum);
    }
    if constexpr (run == 1) {
#pragma unroll
      for (int c = 0; c < count; ++c)
        if (left_[c] > 0) to_[c * 32] = sums[c];
    } else {
      const bool is_even = reinterpret_cast<std::uintptr_t>(to_) % 4 == 0;  // for all lanes, or none
#pragma unroll
      for (int r = 0; r < count / run; ++r) {
        const std::uint32_t pair = rounded_pair<Input>(sums[r * run], sums[r * run + 1]);
        is_even ? store_pair(to_ + r * 32 * run, pair, left_[r]) : store_odd(to_ + r * 32 * run, pair, left_[r]);
      }
    }
  }

  // Of `left` elements up to the end of the row.
  __device__ static void store_pair(std::uint16_t* to, std::uint32_t pair, std::int32_t left) {
    if (left > 1) {
      *reinterpret_cast<std::uint32_t*>(to) = pair;
    } else if (left > 0) {
      *to = static_cast<std::uint16_t>(pair);
    }
  }

  // Words lie between the pairs of neighbouring lanes: the first and the last element of the warp remain.
  __device__ void store_odd(std::uint16_t* to, std::uint32_t pair, std::int32_t left) const {
    const std::uint32_t next = __shfl_down_sync(0xFFFFFFFFu, pair, 1);
    if (lane_ == 0 && left > 0) *to = static_cast<std::uint16_t>(pair);
    store_pair(to + 1, pair >> 16 | next << 16, lane_ == 31 ? min(left - 1, 1) : left - 1);
  }

  Bits* to_;  // the lane's first element of the next row
  std::int64_t row_stride_;
  int lane_;
  std::int32_t left_[count / run];  // elements from the lane's first column to the end of the row
  Sum bias_[count];
};

}  // namespace Tegula::Impl

#endif
