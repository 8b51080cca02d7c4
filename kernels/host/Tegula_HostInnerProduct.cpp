// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with -O3 whatever the build type: with less, the sums do not stay in registers.
#define TEGULA_WITHOUT_KOKKOS
#include "Tegula_HostInnerProduct.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "Tegula_HostLineAddresses.hpp"
#include "Tegula_HostPartVector.hpp"
#include "Tegula_HostRelu.hpp"

namespace Tegula::Impl {
namespace {

/// How many of `Rows` rows are multiplied with how many columns at once. All sums stay in registers, with a vector of
/// each line of the shorter side and one of the longer one. Rows with which no two columns fit take turns, while the
/// columns are in the first cache.
template <class InstructionSet, int Rows>
struct InnerTile {
  static constexpr int columns_beside(int rows) {
    int columns = 8;
    while (columns > 1 && rows * columns + std::min(rows, columns) + 1 > InstructionSet::registers) --columns;
    return columns;
  }
  static constexpr int rows    = columns_beside(Rows) > 1 ? Rows : (Rows + 1) / 2;
  static constexpr int columns = columns_beside(rows);
};

/// A multiply-add waits for the one before it that adds to the same sums. So few sums are cut into as many parts as
/// keep the processor busy, which are added up in the end.
constexpr int parts_of_sums(int sums) { return sums >= 6 ? 1 : sums >= 3 ? 2 : 4; }

/// totals[s] = the sum of the elements of sums[s].
template <class InstructionSet, int First = 0, int Count, class Vector, class T>
inline void add_up(const Vector (&sums)[Count], T* totals) {
  constexpr int lanes    = host_lanes<T, InstructionSet>;
  constexpr int count    = std::min(lanes, Count - First);
  constexpr int together = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
  Vector square[together];
  for_each_constant<together>([&](auto s) {
    if constexpr (s < count) {
      square[s] = sums[First + s];
    } else {
      square[s] = Vector{};
    }
  });
  sum_each<lanes>(square);
  PartVector<T, InstructionSet>::store(square[0], count, totals + First);
  if constexpr (First + count < Count) add_up<InstructionSet, First + count>(sums, totals);
}

/// `Rows` rows from `row` on, and `Columns` columns from `column` on. Those behind them, if any, are asked for
/// meanwhile: few lines at a time are too few to keep memory busy.
template <class T, class InstructionSet, int Rows, int Columns>
inline void multiply_add(const RegisterProduct<T>& p, int row, int column, bool has_more) {
  using Vector           = host_vector_t<T, InstructionSet>;
  using Anywhere         = host_vector_anywhere_t<T, InstructionSet>;
  using Part             = PartVector<T, InstructionSet>;
  using Lanes            = std::integral_constant<std::int64_t, host_lanes<T, InstructionSet>>;
  constexpr int lanes    = Lanes();
  constexpr int parts    = parts_of_sums(Rows * Columns);
  constexpr bool asks    = Rows >= 4;  // or the loads of a step would take all of its time
  const auto ahead       = has_more ? Columns * p.column_stride : 0;
  const T* const column0 = p.columns + column * p.column_stride;
  const T* next          = column0 + ahead;
  LineAddresses<T, Rows, std::int64_t, std::int64_t> rows(p.rows + row * p.row_stride, p.row_stride, p.row_step);
  LineAddresses<T, Columns, std::int64_t, Lanes> columns(column0, p.column_stride, Lanes());
  Vector sums[parts][Rows * Columns];
  for_each_constant<parts>(
      [&](auto part) { for_each_constant<Rows * Columns>([&](auto s) { sums[part][s] = Vector{}; }); });
  // The lines of the shorter side are loaded before those of the longer one, each of which meets them all.
  const auto step = [&](auto part, const auto& load) {
    const auto multiply = [&]<bool HoldsRows>(std::bool_constant<HoldsRows>) {
      constexpr int held = HoldsRows ? Rows : Columns, passing = HoldsRows ? Columns : Rows;
      Vector values[held];
      for_each_constant<held>([&](auto h) {
        if constexpr (HoldsRows) {
          load(rows.template at<h>(), values[h]);
        } else {
          load(columns.template at<h>(), values[h]);
        }
      });
      for_each_constant<passing>([&](auto l) {
        Vector value;
        if constexpr (HoldsRows) {
          load(columns.template at<l>(), value);
        } else {
          load(rows.template at<l>(), value);
        }
        keep_in_register(value);
        for_each_constant<held>([&](auto h) {
          constexpr int i = HoldsRows ? h : l, j = HoldsRows ? l : h;
          sums[part][i * Columns + j] += values[h] * value;
        });
      });
    };
    multiply(std::bool_constant<(Rows < Columns)>());
    rows.advance(1);
    columns.advance(1);
  };
  const auto whole  = [&](const T* from, Vector& to) { to = *reinterpret_cast<const Anywhere*>(from); };
  std::int64_t left = p.depth;
  for (; left >= parts * lanes; left -= parts * lanes) {
    if constexpr (asks) {
      for (int j = 0; j < Columns; ++j) prefetch_near(next + j * p.column_stride);
      next += lanes;
    }
    for_each_constant<parts>([&](auto part) { step(part, whole); });
  }
  using First = std::integral_constant<int, 0>;
  if constexpr (parts > 1) {
    for (; left >= lanes; left -= lanes) step(First(), whole);
  }
  if (left > 0) step(First(), [&](const T* from, Vector& to) { Part::load(from, static_cast<int>(left), to); });
  for_each_constant<parts - 1>(
      [&](auto part) { for_each_constant<Rows * Columns>([&](auto s) { sums[0][s] += sums[part + 1][s]; }); });
  T totals[Rows * Columns];
  add_up<InstructionSet>(sums[0], totals);
  const auto add = [&](const T* from, std::int64_t row_stride, std::int64_t stride) {
    if (from == nullptr) return;
    from += row * row_stride + column * stride;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) totals[i * Columns + j] += from[i * row_stride + j * stride];
  };
  add(p.before, p.before_pitch, p.before_stride);
  add(p.bias, p.bias_row_stride, p.bias_column_stride);
  if (p.clamps) {
    for (T& total : totals) total = Relu()(total);
  }
  T* const to = p.sums + row * p.pitch + column * p.sum_stride;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) to[i * p.pitch + j * p.sum_stride] = totals[i * Columns + j];
}

/// The same as a function of its own. The compiler would keep numbers that tiles share in the registers of sums.
template <class T, class InstructionSet, int Rows, int Columns>
void multiply_tile(const RegisterProduct<T>& p, int row, int column, bool has_more) {
  InstructionSet::run([&](auto) { multiply_add<T, InstructionSet, Rows, Columns>(p, row, column, has_more); });
}

/// For each number of columns up to Columns, from 1 on.
template <class T, class InstructionSet, int Rows, int Columns>
constexpr auto tiles_of = []<int... Index>(std::integer_sequence<int, Index...>) {
  return std::array{&multiply_tile<T, InstructionSet, Rows, Index + 1>...};
}
(std::make_integer_sequence<int, Columns>());

/// Columns are divided evenly, as far as that goes.
template <class T, class InstructionSet, int Rows>
void microkernel(const RegisterProduct<T>& product, int columns) {
  using Tile           = InnerTile<InstructionSet, Rows>;
  constexpr int others = Rows - Tile::rows;
  int tiles            = (columns + Tile::columns - 1) / Tile::columns;
  for (int column = 0; column < columns; --tiles) {
    const int width     = (columns - column + tiles - 1) / tiles;
    const bool has_more = column + 2 * width <= columns;
    tiles_of<T, InstructionSet, Tile::rows, Tile::columns>[width - 1](product, 0, column, has_more);
    if constexpr (others > 0)
      tiles_of<T, InstructionSet, others, Tile::columns>[width - 1](product, Tile::rows, column, false);
    column += width;
  }
}

template <class T, class InstructionSet, std::size_t... Index>
constexpr std::array<Microkernel<T>, inner_rows> make_table(std::index_sequence<Index...>) {
  return {microkernel<T, InstructionSet, Index + 1>...};
}

/// All microkernels of a set of instructions, by number of rows.
template <class T, class InstructionSet>
constexpr auto table = make_table<T, InstructionSet>(std::make_index_sequence<inner_rows>());

}  // namespace

template <class T>
Microkernel<T> inner_microkernel(Instructions instructions, int rows) {
  const auto index = static_cast<std::size_t>(rows - 1);
  switch (instructions) {
    case Instructions::avx512:
      return table<T, Avx512>[index];
    case Instructions::avx2:
      return table<T, Avx2>[index];
    case Instructions::baseline:
      break;
  }
  return table<T, Baseline>[index];
}

template Microkernel<float> inner_microkernel<float>(Instructions, int);
template Microkernel<double> inner_microkernel<double>(Instructions, int);

}  // namespace Tegula::Impl
