// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with -O3 whatever the build type: with less, the sums do not stay in registers.
#include "Tegula_HostInnerProduct.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "Tegula_HostPartVector.hpp"

namespace Tegula::Impl {
namespace {

/// How many of `Rows` rows are multiplied with how many columns at once. Half of the registers hold sums; the columns,
/// one vector of a row and what else the compiler keeps share the others. Rows that do not fit take turns, while the
/// columns are in the first cache.
template <class InstructionSet, int Rows>
struct InnerTile {
  static constexpr int sums    = InstructionSet::registers / 2;
  static constexpr int rows    = 2 * Rows <= sums ? Rows : (Rows + 1) / 2;
  static constexpr int columns = 4 * rows <= sums ? 4 : 2;
};

/// totals[i Columns + j] = the sum of the elements of sums[i][j].
template <class Anywhere, int Lanes, int Rows, int Columns, class Vector, class T>
inline void add_up(const Vector (&sums)[Rows][Columns], T* totals) {
  for (int first = 0; first < Rows * Columns; first += Lanes) {
    Vector square[Lanes];
    for (int e = 0; e < Lanes; ++e)
      square[e] = first + e < Rows * Columns ? sums[(first + e) / Columns][(first + e) % Columns] : Vector{};
    sum_each(square);
    *reinterpret_cast<Anywhere*>(totals + first) = square[0];
  }
}

/// `Rows` of the Pitch rows of a panel, from First on, and up to `Columns` columns, from `column` on.
template <class T, class InstructionSet, int Pitch, int First, int Rows, int Columns>
inline void multiply_add(const RegisterProduct<T>& p, int column, int columns) {
  using Vector        = host_vector_t<T, InstructionSet>;
  using Anywhere      = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  const int count     = std::min(Columns, columns - column);
  const T* from[Columns];  // the last is repeated where there are fewer
  for (int j = 0; j < Columns; ++j) from[j] = p.columns + (column + std::min(j, count - 1)) * p.column_stride;
  // Two columns at a time are too few runs to keep memory busy, so the next two are asked for meanwhile.
  constexpr bool prefetches = Columns == 2 && First == 0;
  const auto ahead          = column + 2 * Columns <= columns ? Columns * p.column_stride : 0;
  const T* row              = p.rows + First * lanes;
  Vector sums[Rows][Columns];
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) sums[i][j] = Vector{};
  const auto step = [&](const Vector(&values)[Columns]) {
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) sums[i][j] += reinterpret_cast<const Anywhere*>(row)[i] * values[j];
    row += Pitch * lanes;
  };
  std::int64_t k = 0;
  Vector values[Columns];
  for (; k + lanes <= p.depth; k += lanes) {
    for (int j = 0; j < Columns; ++j) {
      values[j] = *reinterpret_cast<const Anywhere*>(from[j] + k);
      if constexpr (prefetches) prefetch_far(from[j] + k + ahead);
    }
    step(values);
  }
  if (k < p.depth) {
    for (int j = 0; j < Columns; ++j)
      PartVector<T, InstructionSet>::load(from[j] + k, static_cast<int>(p.depth - k), values[j]);
    step(values);
  }
  T totals[(Rows * Columns + lanes - 1) / lanes * lanes];
  add_up<Anywhere, lanes>(sums, totals);
  const auto add = [&](const T* from, std::int64_t row_stride, std::int64_t stride) {
    if (from == nullptr) return;
    from += First * row_stride + column * stride;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < count; ++j) totals[i * Columns + j] += from[i * row_stride + j * stride];
  };
  add(p.before, p.before_pitch, p.before_stride);
  add(p.bias, p.bias_row_stride, p.bias_column_stride);
  T* const to = p.sums + First * p.pitch + column * p.sum_stride;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < count; ++j) to[i * p.pitch + j * p.sum_stride] = totals[i * Columns + j];
}

template <class T, class InstructionSet, int Rows>
void microkernel(const RegisterProduct<T>& product, int columns) {
  using Tile           = InnerTile<InstructionSet, Rows>;
  constexpr int others = Rows - Tile::rows;
  InstructionSet::run([&](auto) {
    for (int column = 0; column < columns; column += Tile::columns) {
      multiply_add<T, InstructionSet, Rows, 0, Tile::rows, Tile::columns>(product, column, columns);
      if constexpr (others > 0)
        multiply_add<T, InstructionSet, Rows, Tile::rows, others, Tile::columns>(product, column, columns);
    }
  });
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
