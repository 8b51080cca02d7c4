// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PACK_HPP
#define TEGULA_HOST_PACK_HPP

#include <algorithm>

#include "Tegula_HostInstructions.hpp"
#include "Tegula_HostRun.hpp"
#include "Tegula_HostVector.hpp"

/// Packing: some lines of an operand become a panel, panel[k pitch + line], in the order in which a microkernel reads
/// it. Conversions and act'(saved) are computed on the way, once for each element.

namespace Tegula::Impl {

/// Panels that are packed side by side.
inline constexpr int panels_at_once = 8;

/// One step of a panel, where lines are neighbours in memory.
template <class InstructionSet, class T, class Operand>
void pack_step(const Operand& operand, std::int64_t line0, std::int64_t k, int lines, int pitch, T* __restrict out) {
  using Vector          = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int vectors = RegisterTile<T, InstructionSet>::vectors, whole = RegisterTile<T, InstructionSet>::columns;
  if (const auto matrix = in_place<T>(operand); matrix.data != nullptr && lines == whole) {
    const Vector* const from = reinterpret_cast<const Vector*>(&matrix(line0, k));
    for (int v = 0; v < vectors; ++v) reinterpret_cast<Vector*>(out)[v] = from[v];
  } else {
    read_run(operand, line0, k, Along::column, lines, out);
    for (int line = lines; line < pitch; ++line) out[line] = T(0);
  }
}

/// Packs several panels side by side, whose lines are neighbours in memory: step by step along the inner dimension, so
/// that what lies together is read together. One panel after the other, each would visit every page of the operand.
template <class InstructionSet, class T, class Operand, class Panels>
void pack_along_lines(const Operand& operand, std::int64_t line0, std::int64_t k0, std::int64_t depth,
                      const Panels& panels, int begin, int end, T* __restrict base) {
  struct Place {  // of a panel; asked once, not at every step
    std::int64_t line0;
    int lines, pitch;
    T* out;
  };
  for (int group = begin; group < end; group += panels_at_once) {
    const int count = std::min(panels_at_once, end - group);
    Place places[panels_at_once];
    for (int p = 0; p < count; ++p) {
      const int first = panels.first(group + p);
      places[p]       = {line0 + first, panels.width(group + p), panels.padded(group + p),
                         base + (first - panels.first(begin)) * depth};
    }
    for (std::int64_t k = 0; k < depth; ++k) {
      for (int p = 0; p < count; ++p) {
        const Place& at = places[p];
        pack_step<InstructionSet>(operand, at.line0, k0 + k, at.lines, at.pitch, at.out + k * at.pitch);
      }
    }
  }
}

/// Reads a square, as many lines and steps as a vector has elements, and transposes it: square[step] holds the lines.
/// Where there are fewer lines the last is repeated; what lies past the last step is not set.
template <class InstructionSet, class T, class Operand>
void read_square(const Operand& operand, std::int64_t line0, int lines, std::int64_t k, int steps,
                 host_vector_t<T, InstructionSet> (&square)[host_lanes<T, InstructionSet>]) {
  using Vector        = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  const auto matrix   = in_place<T>(operand);
  if (steps == lanes && matrix.data != nullptr && matrix.columns_are_contiguous()) {
    const T* from = &matrix(line0, k);
    for (int line = 0; line < lanes; ++line) {
      square[line] = *reinterpret_cast<const Vector*>(from);
      from += line + 1 < lines ? matrix.row_stride : 0;
    }
  } else {
    for (int line = 0; line < lanes; ++line)
      read_run(operand, line0 + std::min(line, lines - 1), k, Along::row, steps, reinterpret_cast<T*>(&square[line]));
  }
  transpose(square);
}

/// Packs `lines` lines, whose steps are neighbours in memory, to panel[k pitch + line] with pitch >= lines; no result
/// depends on what lies between. The steps are read and transposed in squares. Whole vectors are stored even where
/// fewer lines are left: the excess falls where later steps will be stored, so the last lines of a panel go first. At
/// the end of the panel, where nothing follows, elements are stored one by one.
template <class InstructionSet, class T, class Operand>
void pack_along_depth(const Operand& operand, std::int64_t line0, std::int64_t k0, int lines, std::int64_t depth,
                      int pitch, T* __restrict panel) {
  using Vector           = host_vector_t<T, InstructionSet>;
  using Stored           = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes    = host_lanes<T, InstructionSet>;
  const std::int64_t end = depth * pitch;
  for (std::int64_t k = 0; k < depth; k += lanes) {
    const int steps = static_cast<int>(std::min<std::int64_t>(lanes, depth - k));
    for (int first = (pitch - 1) / lanes * lanes; first >= 0; first -= lanes) {
      Vector square[lanes];
      read_square<InstructionSet, T>(operand, line0 + first, std::min(lanes, lines - first), k0 + k, steps, square);
      T* const out = panel + k * pitch + first;
      if (steps == lanes && out + (lanes - 1) * pitch + lanes <= panel + end) {
        for (int step = 0; step < lanes; ++step) *reinterpret_cast<Stored*>(out + step * pitch) = square[step];
      } else {
        const int width = std::min(lanes, pitch - first);
        for (int step = 0; step < steps; ++step) {
          const T* const values = reinterpret_cast<const T*>(&square[step]);
          for (int line = 0; line < width; ++line) out[step * pitch + line] = values[line];
        }
      }
    }
  }
}

/// Packs panels [begin, end) of those that an operand's lines from line0 on are divided into, steps [k0, k0 + depth).
/// The first of them begins at base, and the others follow: panel p at base + (first(p) - first(begin)) depth.
template <class T, class Operand, class Panels>
void pack_panels(Instructions instructions, const Operand& operand, std::int64_t line0, std::int64_t k0,
                 std::int64_t depth, const Panels& panels, int begin, int end, T* base) {
  with_instructions(instructions, [&](auto set) {
    using InstructionSet = decltype(set);
    if (operand.lines_are_contiguous()) {
      pack_along_lines<InstructionSet>(operand, line0, k0, depth, panels, begin, end, base);
    } else {
      for (int p = begin; p < end; ++p)
        pack_along_depth<InstructionSet>(operand, line0 + panels.first(p), k0, panels.width(p), depth, panels.padded(p),
                                         base + (panels.first(p) - panels.first(begin)) * depth);
    }
  });
}

/// Packs few lines in vectors of steps, as Tegula_HostInnerProduct.hpp reads them. Where lines are neighbours in
/// memory, they are read and transposed in squares.
template <class T, class Operand>
void pack_vectors(Instructions instructions, const Operand& operand, std::int64_t line0, std::int64_t k0, int lines,
                  std::int64_t depth, T* __restrict panel) {
  with_instructions(instructions, [&](auto set) {
    using Vector          = host_vector_t<T, decltype(set)>;
    using Stored          = host_vector_anywhere_t<T, decltype(set)>;
    constexpr int lanes   = host_lanes<T, decltype(set)>;
    const bool transposes = lines > 1 && operand.lines_are_contiguous();
    for (std::int64_t k = 0; k < depth; k += lanes) {
      const int steps = static_cast<int>(std::min<std::int64_t>(lanes, depth - k));
      for (int first = 0; first < lines; first += lanes) {
        const int width      = std::min(lanes, lines - first);
        Vector square[lanes] = {};
        const auto values    = [&](int vector) { return reinterpret_cast<T*>(&square[vector]); };
        if (transposes) {
          for (int step = 0; step < steps; ++step)
            read_run(operand, line0 + first, k0 + k + step, Along::column, width, values(step));
          transpose(square);
        } else {
          for (int line = 0; line < width; ++line)
            read_run(operand, line0 + first + line, k0 + k, Along::row, steps, values(line));
        }
        Stored* const out = reinterpret_cast<Stored*>(panel + k * lines + first * lanes);
        for (int line = 0; line < width; ++line) out[line] = square[line];
      }
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

/// The same for a panel in vectors of steps.
template <class T>
void sum_lines_of_vectors(Instructions instructions, const T* panel, int lines, std::int64_t depth, bool add,
                          T* __restrict sums) {
  with_instructions(instructions, [&](auto set) {
    constexpr int lanes = host_lanes<T, decltype(set)>;
    for (int line = 0; line < lines; ++line) {
      alignas(64) T part[lanes] = {};
      for (std::int64_t k = 0; k < depth; k += lanes)
        for (int lane = 0; lane < lanes; ++lane) part[lane] += panel[k * lines + line * lanes + lane];
      T sum = add ? sums[line] : T(0);
      for (int lane = 0; lane < lanes; ++lane) sum += part[lane];
      sums[line] = sum;
    }
  });
}

}  // namespace Tegula::Impl

#endif
