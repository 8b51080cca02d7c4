// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PACK_HPP
#define TEGULA_HOST_PACK_HPP

#include <algorithm>

#include "Tegula_HostInstructions.hpp"
#include "Tegula_HostRun.hpp"
#include "Tegula_HostVector.hpp"

/// Packing: some lines of an operand become a panel, panel[k pitch + line], in the order in which a microkernel reads
/// it. Conversions and act'(saved) happen on the way, once an element.

namespace Tegula::Impl {

/// Where a panel begins in an operand, and how much of it is packed.
struct PanelExtent {
  std::int64_t line0, k0;
  int lines;
  std::int64_t depth;
  int pitch;  // >= lines; what lies between becomes zero
};

/// Lines are neighbours in memory: step by step along the inner dimension.
template <class T, class Operand>
void pack_along_lines(const Operand& operand, const PanelExtent& at, T* __restrict panel) {
  for (std::int64_t k = 0; k < at.depth; ++k) {
    T* const out = panel + k * at.pitch;
    read_run(operand, at.line0, at.k0 + k, Along::column, at.lines, out);
    for (int line = at.lines; line < at.pitch; ++line) out[line] = T(0);
  }
}

/// As before, for a panel of as many whole vectors as a register tile has, of elements that are copied as they are.
template <class InstructionSet, class T>
void copy_along_lines(const MatrixRef<const T>& matrix, const PanelExtent& at, T* __restrict panel) {
  using Vector          = host_vector_t<T, InstructionSet>;
  constexpr int vectors = RegisterTile<T, InstructionSet>::vectors;
  const T* from         = &matrix(at.line0, at.k0);
  Vector* to            = reinterpret_cast<Vector*>(panel);
  for (std::int64_t k = 0; k < at.depth; ++k, from += matrix.column_stride, to += vectors)
    for (int v = 0; v < vectors; ++v) to[v] = reinterpret_cast<const Vector*>(from)[v];
}

/// The transposed square of as many lines and steps as a vector has elements: square[step] holds the lines. Where there
/// are fewer lines the last is repeated; what lies past the last step is not set.
template <class InstructionSet, class T, class Operand>
void read_square(const Operand& operand, std::int64_t line0, int lines, std::int64_t k, int steps,
                 host_vector_t<T, InstructionSet> (&square)[host_lanes<T, InstructionSet>]) {
  using Vector        = host_vector_t<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  const auto matrix   = in_place<T>(operand);
  if (steps == lanes && matrix.data != nullptr && matrix.column_stride == 1) {
    const T* const first = &matrix(line0, k);
    for (int line = 0; line < lanes; ++line)
      square[line] = *reinterpret_cast<const Vector*>(first + std::min(line, lines - 1) * matrix.row_stride);
  } else {
    for (int line = 0; line < lanes; ++line)
      read_run(operand, line0 + std::min(line, lines - 1), k, Along::row, steps, reinterpret_cast<T*>(&square[line]));
  }
  transpose(square);
}

/// Steps along the inner dimension are neighbours in memory: they are read and transposed in squares. Whole vectors are
/// stored even where fewer lines are left: what is too much falls where the next step's first lines will be stored, so
/// the last lines of a panel go first, and the last step of all is stored by elements.
template <class InstructionSet, class T, class Operand>
void pack_along_depth(const Operand& operand, const PanelExtent& at, T* __restrict panel) {
  using Vector        = host_vector_t<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  for (std::int64_t k = 0; k < at.depth; k += lanes) {
    const int steps = static_cast<int>(std::min<std::int64_t>(lanes, at.depth - k));
    for (int first = (at.pitch - 1) / lanes * lanes; first >= 0; first -= lanes) {
      Vector square[lanes];
      read_square<InstructionSet, T>(operand, at.line0 + first, std::min(lanes, at.lines - first), at.k0 + k, steps,
                                     square);
      T* const out         = panel + k * at.pitch + first;
      const int width      = std::min(lanes, at.pitch - first);
      const bool last_fits = width == lanes || k + steps < at.depth;
      const int whole      = last_fits ? steps : steps - 1;
      if (whole == lanes) {
        for (int step = 0; step < lanes; ++step) *reinterpret_cast<Vector*>(out + step * at.pitch) = square[step];
      } else {
        for (int step = 0; step < whole; ++step) *reinterpret_cast<Vector*>(out + step * at.pitch) = square[step];
      }
      if (!last_fits) {
        const T* const last = reinterpret_cast<const T*>(&square[steps - 1]);
        for (int line = 0; line < width; ++line) out[whole * at.pitch + line] = last[line];
      }
    }
  }
}

template <class T, class Operand>
void pack_panel(Instructions instructions, const Operand& operand, const PanelExtent& at, T* panel) {
  with_instructions(instructions, [&](auto set) {
    using InstructionSet = decltype(set);
    constexpr int whole  = RegisterTile<T, InstructionSet>::columns;
    if (!is_contiguous(operand, Along::column)) {
      pack_along_depth<InstructionSet>(operand, at, panel);
    } else if (const auto matrix = in_place<T>(operand); matrix.data != nullptr && at.lines == whole) {
      copy_along_lines<InstructionSet>(matrix, at, panel);
    } else {
      pack_along_lines(operand, at, panel);
    }
  });
}

/// sums[line] (+)= the sum of a line of a panel.
template <class T>
void sum_lines(Instructions instructions, const T* panel, int lines, std::int64_t depth, int pitch, bool add,
               T* __restrict sums) {
  with_instructions(instructions, [&](auto) {
    alignas(64) T part[longest_run] = {};
    for (std::int64_t k = 0; k < depth; ++k)
      for (int line = 0; line < lines; ++line) part[line] += panel[k * pitch + line];
    for (int line = 0; line < lines; ++line) sums[line] = add ? sums[line] + part[line] : part[line];
  });
}

}  // namespace Tegula::Impl

#endif
