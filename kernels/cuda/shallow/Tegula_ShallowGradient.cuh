// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_GRADIENT_CUH
#define TEGULA_SHALLOW_GRADIENT_CUH

#include "../Tegula_RunElements.cuh"
#include "Tegula_ShallowPlace.cuh"

namespace Tegula::Impl {

/// What a lane reads of dC and of what was saved, step after step, and the dZ that it forms of both: in words, where
/// rows are whole ones; else in the words that its elements of 16 bits are in, or wider ones one by one. What is asked
/// for stays as it comes until dZ is formed, so that nothing waits for it before. Beyond the end dZ is 0.
template <class Config, class Input, bool in_words>
class ShallowGradient {
  using Bits = bits_t<Input>;
  using Sum  = sum_t<Bits>;
  using Unit = typename Config::Unit;

 public:
  static constexpr int run = Unit::run, halves = shallow_runs / 2;  // of the rows of a step

  static constexpr bool splits = !in_words && sizeof(Bits) == 2;

  struct Asked {
    using Run = std::conditional_t<in_words, uint4, std::conditional_t<splits, SplitWord, Bits[run]>>;
    Run dC[shallow_runs], saved[shallow_runs];
    // Of split words: where the runs of a row begin, which lie whole words apart, and the rows that were left.
    unsigned dC_at[halves], saved_at[halves];
    std::int32_t rows_left;
  };

  __device__ ShallowGradient(const ShallowArguments<Bits>& arguments, const ShallowPlace& at)
      : ShallowGradient(arguments, at, at.panel_column + at.column_block() * Unit::columns) {}

  /// Asks for the next step.
  __device__ void ask(Asked& asked) {
    asked.rows_left = rows_left_;
    // Most warps have whole steps, and do without a question for each run.
    is_whole_step(rows_left_) ? ask_both<true>(asked) : ask_both<false>(asked);
    rows_left_ -= step_;
  }

  __device__ void form(const Asked& asked, Sum (&dZ)[shallow_runs][run]) const {
#pragma unroll
    for (int q = 0; q < shallow_runs; ++q) values(asked.dC[q], asked.dC_at[q / 2], dZ[q]);
    if (!p_.slope.is_one) {
      // A loop each, so that none asks in it which one it is.
      p_.slope.is_curved ? multiply(asked, dZ, [&](Sum y) { return p_.slope.curve(y); })
                         : multiply(asked, dZ, [&](Sum y) { return p_.slope.step(y); });
    }
    if (splits && !is_whole_step(asked.rows_left)) clear_outside(asked.rows_left, dZ);
  }

 private:
  // `column` is the first of the warp.
  __device__ ShallowGradient(const ShallowArguments<Bits>& arguments, const ShallowPlace& at, std::int32_t column)
      : p_(arguments),
        dC_(place(arguments.dC, column, at.row(), at.lane)),
        saved_(place(arguments.saved, column, at.row(), at.lane)),
        left_(static_cast<std::int32_t>(arguments.dC.columns) - column - Unit::column(at.lane, 0)),
        rows_left_(at.last - at.row()),
        step_(at.step),
        lane_row_(Unit::row(at.lane, 0)),
        has_all_columns_(column + Unit::columns <= arguments.dC.columns) {}

  __device__ bool is_whole_step(std::int32_t rows_left) const { return has_all_columns_ && rows_left >= Unit::rows; }

  template <bool is_whole>
  __device__ void ask_both(Asked& asked) {
    ask<is_whole>(p_.dC, dC_, Bits(0), asked.dC, asked.dC_at);
    if (!p_.slope.is_one) ask<is_whole>(p_.saved, saved_, bits_of_one(), asked.saved, asked.saved_at);
  }

  template <class Slope>
  __device__ static void multiply(const Asked& asked, Sum (&dZ)[shallow_runs][run], const Slope& slope) {
#pragma unroll
    for (int q = 0; q < shallow_runs; ++q) {
      Sum saved[run];
      values(asked.saved[q], asked.saved_at[q / 2], saved);
#pragma unroll
      for (int e = 0; e < run; ++e) dZ[q][e] *= slope(saved[e]);
    }
  }

  // Split words have anything there.
  __device__ void clear_outside(std::int32_t rows_left, Sum (&dZ)[shallow_runs][run]) const {
#pragma unroll
    for (int q = 0; q < shallow_runs; ++q)
#pragma unroll
      for (int e = 0; e < run; ++e)
        if (e >= elements_of(q, rows_left)) dZ[q][e] = 0;
  }

  // Where the lane's first run of a step begins.
  __device__ static const Bits* place(const MatrixRef<const Bits>& matrix, std::int32_t column, std::int32_t row,
                                      int lane) {
    return matrix.data + (row + Unit::row(lane, 0)) * matrix.row_stride +
           (column + Unit::column(lane, 0)) * matrix.column_stride;
  }

  // So many elements of a run are there.
  __device__ int elements_of(int q, std::int32_t rows_left) const {
    return lane_row_ + Unit::row(0, q) < rows_left ? max(0, min(left_ - Unit::column(0, q), run)) : 0;
  }

  // Beyond the end dC counts as 0 and saved as 1, where no derivative is infinite.
  template <bool is_whole>
  __device__ void ask(const MatrixRef<const Bits>& matrix, const Bits*& at, Bits beyond,
                      typename Asked::Run (&runs)[shallow_runs], [[maybe_unused]] unsigned (&begins)[halves]) const {
    if constexpr (in_words) {
      const uint4 none = word_of(beyond);
#pragma unroll
      for (int q = 0; q < shallow_runs; ++q) {
        if constexpr (!is_whole) runs[q] = none;
        if (is_whole || elements_of(q, rows_left_) > 0)
          runs[q] = load_word(at + Unit::row(0, q) * matrix.row_stride + Unit::column(0, q));
      }
    } else if constexpr (splits) {
#pragma unroll
      for (int q = 0; q < shallow_runs; ++q) {
        const Bits* const place = at + Unit::row(0, q) * matrix.row_stride + Unit::column(0, q);
        runs[q]                 = load_split_word(place, is_whole ? run : elements_of(q, rows_left_));
        begins[q / 2]           = low_bits(place);
      }
    } else {
      ask_elements<is_whole>(matrix, at, beyond, runs);
    }
    at += step_ * matrix.row_stride;
  }

  template <bool is_whole>
  __device__ void ask_elements(const MatrixRef<const Bits>& matrix, const Bits* at, Bits beyond,
                               Bits (&elements)[shallow_runs][run]) const {
#pragma unroll
    for (int q = 0; q < shallow_runs; ++q)
#pragma unroll
      for (int e = 0; e < run; ++e) {
        if constexpr (!is_whole) elements[q][e] = beyond;
        if (is_whole || e < elements_of(q, rows_left_))
          elements[q][e] = at[Unit::row(0, q) * matrix.row_stride + (Unit::column(0, q) + e) * matrix.column_stride];
      }
  }

  __device__ static Bits bits_of_one() {
    if constexpr (sizeof(Bits) == 2) {
      return static_cast<Bits>(rounded_pair<Input>(1, 1));
    } else {
      return 1;
    }
  }

  // A word of an element.
  __device__ static uint4 word_of(Bits element) {
    if constexpr (sizeof(Bits) == 2) {
      const std::uint32_t pair = element * 0x10001u;
      return {pair, pair, pair, pair};
    } else if constexpr (sizeof(Bits) == 4) {
      const std::uint32_t bits = __float_as_uint(element);
      return {bits, bits, bits, bits};
    } else {
      const auto low  = static_cast<std::uint32_t>(__double2loint(element)),
                 high = static_cast<std::uint32_t>(__double2hiint(element));
      return {low, high, low, high};
    }
  }

  __device__ static void values(const uint4& word, unsigned, Sum (&values)[run]) { unpack<Input>(word, values); }
  __device__ static void values(const SplitWord& word, unsigned at, Sum (&values)[run]) {
    unpack<Input>(joined<Bits>(word, at), values);
  }
  __device__ static void values(const Bits (&elements)[run], unsigned, Sum (&values)[run]) {
#pragma unroll
    for (int e = 0; e < run; ++e) values[e] = widened<Input>(elements[e]);
  }

  const ShallowArguments<Bits>& p_;
  const Bits *dC_, *saved_;               // where the lane's first run of the next step begins
  std::int32_t left_, rows_left_, step_;  // columns from the lane's first on, rows from the warp's
  int lane_row_;
  bool has_all_columns_;
};

}  // namespace Tegula::Impl

#endif
