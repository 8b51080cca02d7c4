// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_MICROKERNEL_TABLE_HPP
#define TEGULA_HOST_MICROKERNEL_TABLE_HPP

#include <array>
#include <cstddef>
#include <utility>

#include "Tegula_HostLineAddresses.hpp"
#include "Tegula_HostMicrokernel.hpp"
#include "Tegula_HostPartVector.hpp"
#include "Tegula_HostRelu.hpp"

/// The microkernels of an element type, for a file of each: they take long to compile. These are built with -O3
/// whatever the build type: with less, the sums do not stay in registers.

namespace Tegula::Impl {
namespace {  // each file has its own: code for one set of instructions must not be linked to another

/// Checks of every element that is read or written make register tiles large, and an address is the same whether the
/// compiler knows strides or not.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool knows_strides = false;
#else
constexpr bool knows_strides = true;
#endif

/// The vectors of a run of columns. If IsWhole, they are what a kernel multiplies; otherwise the last one is a part of
/// a vector where masks read such a part, or what is behind it is read too.
template <class T, class InstructionSet, int Vectors, bool IsWhole>
struct VectorRun {
  using Vector   = host_vector_t<T, InstructionSet>;
  using Anywhere = host_vector_anywhere_t<T, InstructionSet>;
  using Part     = PartVector<T, InstructionSet>;

  static constexpr int lanes = host_lanes<T, InstructionSet>;
  int last;  // columns of the last vector

  explicit VectorRun(int columns) : last(columns - (Vectors - 1) * lanes) {}

  /// Of columns.
  template <class Index>
  void load_column(const T* from, Index vector, Vector& to) const {
    if constexpr (Part::is_masked) {
      load(from, vector, to);
    } else {
      to = reinterpret_cast<const Anywhere*>(from)[vector];
    }
  }
  /// Of what belongs to the sums.
  template <class Index>
  void load(const T* from, Index vector, Vector& to) const {
    if constexpr (IsWhole || vector + 1 < Vectors) {
      to = reinterpret_cast<const Anywhere*>(from)[vector];
    } else {
      Part::load(from + vector * lanes, last, to);
    }
  }
  template <class Index>
  void store(const Vector& from, Index vector, T* to) const {
    if constexpr (IsWhole || vector + 1 < Vectors) {
      reinterpret_cast<Anywhere*>(to)[vector] = from;
    } else {
      Part::store(from, last, to + vector * lanes);
    }
  }
};

/// Columns are asked for so many steps before they are multiplied, each vector by its last element: the line of the
/// first one comes with the vector before it.
constexpr std::int64_t steps_ahead = 16;

/// Of so many steps a prefetch of what they will store to is worth it.
constexpr std::int64_t long_loop = 32;

/// The register tile: Rows x Vectors vectors of sums, none of which leaves its register before the end. Strides known
/// at compile time free registers for sums, which would otherwise hold addresses.
template <class T, class InstructionSet, int Rows, int Vectors, bool IsWhole, bool AsksAhead, class RowStride,
          class RowStep>
inline void multiply_add(const RegisterProduct<T>& p, int columns, RowStride row_stride, RowStep row_step) {
  using Vector       = host_vector_t<T, InstructionSet>;
  using Anywhere     = host_vector_anywhere_t<T, InstructionSet>;
  const auto rows    = [](const auto& visit) { for_each_constant<Rows>(visit); };
  const auto vectors = [](const auto& visit) { for_each_constant<Vectors>(visit); };
  const auto all     = [&](const auto& visit) { rows([&](auto i) { vectors([&](auto j) { visit(i, j); }); }); };
  const VectorRun<T, InstructionSet, Vectors, IsWhole> run(columns);
  LineAddresses<T, Rows, RowStride, RowStep> elements(p.rows, row_stride, row_step);
  const T* right                 = p.columns;
  const std::int64_t column_step = p.column_step;
  Vector sums[Rows][Vectors];
  all([&](auto i, auto j) { sums[i][j] = Vector{}; });
  // What is stored to may be in a far cache, and has a long loop's time to come.
  if (p.depth >= long_loop) {
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Vectors; ++j) prefetch(reinterpret_cast<const Anywhere*>(p.sums + i * p.pitch) + j);
  }
  constexpr bool loads_again  = Rows == 2 || Rows == 3;  // GCC 12 would, otherwise it takes the faster way by itself
  const T* const next_columns = p.next_columns;
  [[maybe_unused]] const T* ahead = p.depth > steps_ahead ? right + steps_ahead * column_step : next_columns;
  for (std::int64_t left = p.depth; left > 0; --left) {
    if constexpr (AsksAhead) {
      for (int j = 0; j < Vectors; ++j) prefetch_near(ahead + (j + 1) * run.lanes - 1);
      ahead = left == steps_ahead + 1 ? next_columns : ahead + column_step;
    }
    Vector values[Vectors];
    vectors([&](auto j) {
      Vector value;  // GCC stores what is kept in an array
      run.load_column(right, j, value);
      if constexpr (loads_again) keep_in_register(value);
      values[j] = value;
    });
    rows([&](auto i) {
      const T element = *elements.template at<i>();
      vectors([&](auto j) { sums[i][j] += element * values[j]; });
    });
    right += column_step;
    elements.advance(1);
  }
  if (p.before != nullptr) {
    all([&](auto i, auto j) {
      Vector before;
      run.load(p.before + i * p.before_pitch, j, before);
      sums[i][j] += before;
    });
  }
  if (p.bias != nullptr && p.bias_column_stride == 0) {
    all([&](auto i, auto j) { sums[i][j] += p.bias[i * p.bias_row_stride]; });
  } else if (p.bias != nullptr) {
    vectors([&](auto j) {
      Vector bias;
      run.load(p.bias, j, bias);
      rows([&](auto i) { sums[i][j] += bias; });
    });
  }
  if (p.clamps) all([&](auto i, auto j) { clamp<T, InstructionSet>(sums[i][j]); });
  T* const to              = p.sums;  // as far as the compiler knows, what is stored may be p
  const std::int64_t pitch = p.pitch;
  all([&](auto i, auto j) { run.store(sums[i][j], j, to + i * pitch); });
}

template <class T, class InstructionSet, int Rows, int Vectors, bool AsksAhead>
inline void multiply_add(const RegisterProduct<T>& p, int columns) {
  using One                  = std::integral_constant<std::int64_t, 1>;
  using Panel                = std::integral_constant<std::int64_t, Rows>;
  constexpr bool has_masks   = PartVector<T, InstructionSet>::is_masked;
  constexpr bool any_strides = AsksAhead || !knows_strides;
  const auto multiply        = [&](auto row_stride, auto row_step) {
    multiply_add<T, InstructionSet, Rows, Vectors, has_masks, AsksAhead>(p, columns, row_stride, row_step);
  };
  // A masked load takes a multiply-add's place. One kernel for all strides is enough where it is needed, and where
  // columns are waited for.
  if (has_masks && columns < Vectors * host_lanes<T, InstructionSet>) {
    multiply_add<T, InstructionSet, Rows, Vectors, false, AsksAhead>(p, columns, p.row_stride, p.row_step);
  } else if constexpr (any_strides) {
    multiply(p.row_stride, p.row_step);
  } else if (p.row_stride == 1 && p.row_step == Rows) {
    multiply(One(), Panel());
  } else if (p.row_step == 1) {
    multiply(p.row_stride, One());
  } else {
    multiply(p.row_stride, p.row_step);
  }
}

/// Loops that ask ahead are a function of their own, lest they change how GCC compiles the others.
template <class T, class InstructionSet, int Rows, int Vectors>
void microkernel(const RegisterProduct<T>& product, int columns) {
  if (product.next_columns != nullptr) {
    InstructionSet::run([&](auto) { multiply_add<T, InstructionSet, Rows, Vectors, true>(product, columns); });
  } else {
    InstructionSet::run([&](auto) { multiply_add<T, InstructionSet, Rows, Vectors, false>(product, columns); });
  }
}

/// All microkernels of a set of instructions, by number of vectors, then of rows.
template <class T, class InstructionSet>
struct Table {
  using Tile = RegisterTile<T, InstructionSet>;

  /// Of tiles with fewer vectors, which come first.
  static constexpr int before(int vectors) {
    return vectors > 1 ? before(vectors - 1) + Tile::rows_of(vectors - 1) : 0;
  }
  static constexpr int vectors_at(int index) {
    int vectors = 1;
    while (before(vectors + 1) <= index) ++vectors;
    return vectors;
  }
  static constexpr int count = before(Tile::wide_vectors + 1);

  template <int... Index>
  static constexpr std::array<Microkernel<T>, count> make(std::integer_sequence<int, Index...>) {
    return {microkernel<T, InstructionSet, Index - before(vectors_at(Index)) + 1, vectors_at(Index)>...};
  }
  static constexpr std::array<Microkernel<T>, count> entries = make(std::make_integer_sequence<int, count>());
};

template <class T, class InstructionSet>
constexpr RegisterTileShape shape_of() {
  using Tile = RegisterTile<T, InstructionSet>;
  return {Tile::rows,        Tile::columns,  Tile::columns / Tile::vectors, PartVector<T, InstructionSet>::is_masked,
          Tile::narrow_rows, Tile::wide_rows};
}

template <class T>
const Microkernel<T>* table(Instructions instructions) {
  switch (instructions) {
    case Instructions::avx512:
      return Table<T, Avx512>::entries.data();
    case Instructions::avx2:
      return Table<T, Avx2>::entries.data();
    case Instructions::baseline:
      break;
  }
  return Table<T, Baseline>::entries.data();
}

}  // namespace

template <class T>
RegisterTileShape register_tile(Instructions instructions) {
  switch (instructions) {
    case Instructions::avx512:
      return shape_of<T, Avx512>();
    case Instructions::avx2:
      return shape_of<T, Avx2>();
    case Instructions::baseline:
      break;
  }
  return shape_of<T, Baseline>();
}

template <class T>
Microkernels<T>::Microkernels(Instructions instructions)
    : shape(register_tile<T>(instructions)), table_(table<T>(instructions)) {}

}  // namespace Tegula::Impl

#endif
