// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_MICROKERNEL_TABLE_HPP
#define TEGULA_HOST_MICROKERNEL_TABLE_HPP

#include <array>
#include <cstddef>
#include <utility>

#include "Tegula_HostMicrokernel.hpp"
#include "Tegula_HostPartVector.hpp"

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

/// The vectors of a run of columns, of which the last may be a part of a vector.
template <class T, class InstructionSet, int Vectors>
struct VectorRun {
  using Vector   = host_vector_t<T, InstructionSet>;
  using Anywhere = host_vector_anywhere_t<T, InstructionSet>;

  static constexpr int lanes = host_lanes<T, InstructionSet>;
  int last;  // columns of the last vector

  explicit VectorRun(int columns) : last(columns - (Vectors - 1) * lanes) {}

  template <class Index>
  void load(const T* from, Index vector, Vector& to) const {
    if constexpr (vector + 1 < Vectors) {
      to = *reinterpret_cast<const Anywhere*>(from + vector * lanes);
    } else {
      PartVector<T, InstructionSet>::load(from + vector * lanes, last, to);
    }
  }
  template <class Index>
  void store(const Vector& from, Index vector, T* to) const {
    if constexpr (vector + 1 < Vectors) {
      *reinterpret_cast<Anywhere*>(to + vector * lanes) = from;
    } else {
      PartVector<T, InstructionSet>::store(from, last, to + vector * lanes);
    }
  }
};

/// A processor fetches ahead what is read at equal distances, but never past the end of a page. Columns whose steps lie
/// as far apart are asked for so many steps before they are multiplied.
constexpr std::int64_t page_bytes = 4096, steps_ahead = 8;

/// Of so many steps a prefetch of what they will store to is worth it.
constexpr std::int64_t long_loop = 32;

/// Keeps the compiler from knowing where a value came from. It would find an address of its own for every row, and
/// registers for few of them.
template <class Value>
inline Value without_origin(Value value) {
#if defined(__GNUC__)
  asm("" : "+r"(value));
#endif
  return value;
}

/// The elements of Rows rows that meet a step's columns. An address of every fifth row, the stride and three times the
/// stride are enough for all: x86 adds one, two or four times a register.
template <class T, int Rows, class RowStride, class RowStep>
class RowElements {
  static constexpr int group = 5, groups = (Rows + group - 1) / group;

 public:
  RowElements(const T* rows, RowStride stride, RowStep step) : stride_(stride), step_(step), three_(3 * stride) {
    for_each_constant<groups>([&](auto g) { bases_[g] = rows + g * group * stride; });
    advance(0);
    if constexpr (!is_known) three_ = without_origin(three_);
  }

  /// Of a row, in this step.
  template <int Row>
  T get() const {
    constexpr int in_group = Row % group;
    const T* const base    = bases_[Row / group];
    return in_group == 3 ? base[three_] : base[in_group * stride_];
  }
  void advance(std::int64_t steps) {
    for_each_constant<groups>([&](auto g) {
      bases_[g] += steps * step_;
      if constexpr (!is_known) bases_[g] = without_origin(bases_[g]);
    });
  }

 private:
  static constexpr bool is_known = !std::is_same_v<RowStride, std::int64_t>;  // then distances are in instructions

  const T* bases_[groups];
  RowStride stride_;
  RowStep step_;
  std::int64_t three_;
};

/// The register tile: Rows x Vectors vectors of sums, none of which leaves its register before the end. Strides known
/// at compile time free registers for sums, which would otherwise hold addresses.
template <class T, class InstructionSet, int Rows, int Vectors, class RowStride, class RowStep>
inline void multiply_add(const RegisterProduct<T>& p, int columns, RowStride row_stride, RowStep row_step) {
  using Vector       = host_vector_t<T, InstructionSet>;
  using Anywhere     = host_vector_anywhere_t<T, InstructionSet>;
  const auto rows    = [](const auto& visit) { for_each_constant<Rows>(visit); };
  const auto vectors = [](const auto& visit) { for_each_constant<Vectors>(visit); };
  const auto all     = [&](const auto& visit) { rows([&](auto i) { vectors([&](auto j) { visit(i, j); }); }); };
  const VectorRun<T, InstructionSet, Vectors> run(columns);
  RowElements<T, Rows, RowStride, RowStep> elements(p.rows, row_stride, row_step);
  const T* right                 = p.columns;
  const std::int64_t column_step = p.column_step;
  Vector sums[Rows][Vectors];
  all([&](auto i, auto j) { sums[i][j] = Vector{}; });
  // What is stored to may be in a far cache, and has a long loop's time to come.
  if (p.depth >= long_loop) {
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Vectors; ++j) prefetch(reinterpret_cast<const Anywhere*>(p.sums + i * p.pitch) + j);
  }
  const bool leaves_page = column_step * static_cast<std::int64_t>(sizeof(T)) >= page_bytes;
  for (std::int64_t left = p.depth; left > 0; --left) {
    if (leaves_page) {
      for (int j = 0; j < Vectors; ++j)
        prefetch_far(reinterpret_cast<const Anywhere*>(right + steps_ahead * column_step) + j);
    }
    Vector values[Vectors];
    vectors([&](auto j) {
      if constexpr (PartVector<T, InstructionSet>::is_masked) {
        run.load(right, j, values[j]);
      } else {
        values[j] = reinterpret_cast<const Anywhere*>(right)[j];
      }
    });
    rows([&](auto i) {
      const T element = elements.template get<i>();
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
  T* const to              = p.sums;  // as far as the compiler knows, what is stored may be p
  const std::int64_t pitch = p.pitch;
  all([&](auto i, auto j) { run.store(sums[i][j], j, to + i * pitch); });
}

template <class T, class InstructionSet, int Rows, int Vectors>
inline void multiply_add(const RegisterProduct<T>& p, int columns) {
  using One           = std::integral_constant<std::int64_t, 1>;
  using Panel         = std::integral_constant<std::int64_t, Rows>;
  const auto multiply = [&](auto row_stride, auto row_step) {
    multiply_add<T, InstructionSet, Rows, Vectors>(p, columns, row_stride, row_step);
  };
  if constexpr (!knows_strides) {
    multiply(p.row_stride, p.row_step);
  } else if (p.row_stride == 1 && p.row_step == Rows) {
    multiply(One(), Panel());
  } else if (p.row_step == 1) {
    multiply(p.row_stride, One());
  } else {
    multiply(p.row_stride, p.row_step);
  }
}

template <class T, class InstructionSet, int Rows, int Vectors>
void microkernel(const RegisterProduct<T>& product, int columns) {
  InstructionSet::run([&](auto) { multiply_add<T, InstructionSet, Rows, Vectors>(product, columns); });
}

/// All microkernels of a set of instructions, by number of vectors, then of rows.
template <class T, class InstructionSet>
struct Table {
  using Tile                 = RegisterTile<T, InstructionSet>;
  static constexpr int count = Tile::vectors * Tile::rows;

  template <std::size_t... Index>
  static constexpr std::array<Microkernel<T>, count> make(std::index_sequence<Index...>) {
    return {microkernel<T, InstructionSet, Index % Tile::rows + 1, Index / Tile::rows + 1>...};
  }
  static constexpr std::array<Microkernel<T>, count> entries = make(std::make_index_sequence<count>());
};

template <class T, class InstructionSet>
constexpr RegisterTileShape shape_of() {
  using Tile = RegisterTile<T, InstructionSet>;
  return {Tile::rows, Tile::columns, Tile::columns / Tile::vectors, PartVector<T, InstructionSet>::is_masked};
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
