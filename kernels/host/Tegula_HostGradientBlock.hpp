// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_GRADIENT_BLOCK_HPP
#define TEGULA_HOST_GRADIENT_BLOCK_HPP

#include <algorithm>
#include <bit>
#include <utility>

#include "Tegula_HostInstructions.hpp"
#include "Tegula_HostPartVector.hpp"
#include "Tegula_HostRun.hpp"

/// A block of dZ = dC act'(saved) as a team has it: formed in scratch once, for both products and for the sums of its
/// columns, or dC itself.

namespace Tegula::Impl {

/// A part of a matrix seen along the direction in which its elements are neighbours: `lines` runs of `length` elements.
template <class T>
struct BlockLines {
  HostMatrix<T> matrix;  // its rows are the lines
  std::int64_t line0, first, lines, length;

  bool is_in_place() const { return matrix.elements.read == nullptr && matrix.column_stride == 1; }
  /// Whether nothing lies between the lines.
  bool is_dense() const { return is_in_place() && (matrix.row_stride == length || lines == 1); }
  const T* at(std::int64_t line) const {
    return static_cast<const T*>(matrix.data) + (line0 + line) * matrix.row_stride + first * matrix.column_stride;
  }

  /// Copies elements [from, from + count) of a line.
  void read(std::int64_t line, std::int64_t from, int count, T* to) const {
    read_run(matrix, line0 + line, first + from, Along::row, count, to);
  }
};

/// to = dC act'(saved), line by line, `pitch` apart. The derivative takes as many elements at once as lie together:
/// short lines that do not are brought together first.
template <class T>
void form_lines(const HostSlope& slope, const BlockLines<T>& dC, const BlockLines<T>& saved, std::int64_t pitch,
                T* to) {
  constexpr int together = 1024;  // elements: 4 or 8 KiB of the first cache
  const bool forms = slope.function != nullptr, reads_saved = forms && !slope.is_constant;
  const auto all  = [&](const auto& holds) { return holds(dC) && (!reads_saved || holds(saved)); };
  const auto form = [&](std::int64_t line, std::int64_t count) {
    slope.multiply(reads_saved ? saved.at(line) : nullptr, dC.at(line), static_cast<int>(count), to + line * pitch);
  };
  if (forms && dC.length == pitch && all([](const BlockLines<T>& lines) { return lines.is_dense(); }))
    return form(0, dC.lines * dC.length);
  if (forms && dC.length >= together / 16 && all([](const BlockLines<T>& lines) { return lines.is_in_place(); })) {
    for (std::int64_t l = 0; l < dC.lines; ++l) form(l, dC.length);
    return;
  }
  alignas(64) T values[together];
  const std::int64_t part  = std::min<std::int64_t>(dC.length, together);
  const std::int64_t lines = dC.length == pitch ? std::max<std::int64_t>(1, together / dC.length) : 1;
  for (std::int64_t l = 0; l < dC.lines; l += lines) {
    const std::int64_t here = std::min(lines, dC.lines - l);
    for (std::int64_t e = 0; e < dC.length; e += part) {
      const int count = static_cast<int>(std::min(part, dC.length - e));
      T* const run    = to + l * pitch + e;
      for (std::int64_t i = 0; i < here; ++i) {
        dC.read(l + i, e, count, run + i * pitch);
        if (reads_saved) saved.read(l + i, e, count, values + i * count);
      }
      if (forms) slope.multiply(values, run, static_cast<int>(here * count), run);
    }
  }
}

/// sums[e] (+)= the sum over lines of element e: `Vectors` vectors of elements, of which the last may be a part. Lines
/// take turns to be added to several sums, since one addition takes as long as some of them.
template <class T, class InstructionSet, int Vectors>
inline void add_lines(const T* from, std::int64_t pitch, std::int64_t lines, int last, bool add, T* sums) {
  using Vector        = host_vector_t<T, InstructionSet>;
  using Anywhere      = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  constexpr int turns = 8 / Vectors;
  Vector total[turns][Vectors];
  const auto each     = [](const auto& visit) { for_each_constant<Vectors>(visit); };
  const auto add_line = [&](const T* line, auto turn) {
    each([&](auto v) {
      if constexpr (v + 1 < Vectors) {
        total[turn][v] += *reinterpret_cast<const Anywhere*>(line + v * lanes);
      } else {
        Vector part;
        PartVector<T, InstructionSet>::load(line + v * lanes, last, part);
        total[turn][v] += part;
      }
    });
  };
  for_each_constant<turns>([&](auto turn) { each([&](auto v) { total[turn][v] = Vector{}; }); });
  std::int64_t line = 0;
  for (; line + turns <= lines; line += turns)
    for_each_constant<turns>([&](auto turn) { add_line(from + (line + turn) * pitch, turn); });
  for (; line < lines; ++line) add_line(from + line * pitch, std::integral_constant<int, 0>());
  for_each_constant<turns - 1>([&](auto turn) { each([&](auto v) { total[0][v] += total[turn + 1][v]; }); });
  each([&](auto v) {
    const int count = v + 1 < Vectors ? lanes : last;
    if (add) {
      Vector before;
      PartVector<T, InstructionSet>::load(sums + v * lanes, count, before);
      total[0][v] += before;
    }
    PartVector<T, InstructionSet>::store(total[0][v], count, sums + v * lanes);
  });
}

/// sums[e] (+)= the sums of elements e of all lines, `length` elements long and `pitch` apart.
template <class T>
void sum_over_lines(Instructions instructions, const T* from, std::int64_t pitch, std::int64_t lines,
                    std::int64_t length, bool add, T* sums) {
  with_instructions(instructions, [&](auto set) {
    using InstructionSet = decltype(set);
    constexpr int lanes  = host_lanes<T, InstructionSet>;
    const auto part      = [&](auto vectors, std::int64_t first, std::int64_t count) {
      add_lines<T, InstructionSet, vectors>(from + first, pitch, lines, static_cast<int>(count - (vectors - 1) * lanes),
                                            add, sums + first);
    };
    for (std::int64_t first = 0; first < length;) {
      const std::int64_t rest = length - first;
      const int vectors       = rest > 3 * lanes ? 4 : rest > lanes ? 2 : 1;
      const std::int64_t here = std::min<std::int64_t>(rest, vectors * lanes);
      if (vectors == 4) part(std::integral_constant<int, 4>(), first, here);
      if (vectors == 2) part(std::integral_constant<int, 2>(), first, here);
      if (vectors == 1) part(std::integral_constant<int, 1>(), first, here);
      first += here;
    }
  });
}

/// sums[l] (+)= the sum of line l.
template <class T>
void sum_of_lines(Instructions instructions, const T* from, std::int64_t pitch, std::int64_t lines, std::int64_t length,
                  bool add, T* sums) {
  with_instructions(instructions, [&](auto) {
    constexpr int ways = 64;  // sums that are added up at the end: several vectors of any set
    for (std::int64_t l = 0; l < lines; ++l) {
      alignas(64) T part[ways] = {};
      const T* const line      = from + l * pitch;
      std::int64_t e           = 0;
      for (; e + ways <= length; e += ways)
        for (int w = 0; w < ways; ++w) part[w] += line[e + w];
      for (int w = 0; e < length; ++e, ++w) part[w] += line[e];
      for (int half = ways / 2; half > 0; half /= 2)
        for (int w = 0; w < half; ++w) part[w] += part[w + half];
      sums[l] = add ? sums[l] + part[0] : part[0];
    }
  });
}

}  // namespace Tegula::Impl

#endif
