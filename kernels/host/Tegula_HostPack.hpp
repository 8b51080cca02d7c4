// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PACK_HPP
#define TEGULA_HOST_PACK_HPP

#include <algorithm>
#include <bit>

#include "Tegula_HostInstructions.hpp"
#include "Tegula_HostPartVector.hpp"
#include "Tegula_HostRun.hpp"

/// Packing: some lines of an operand become a panel, panel[k pitch + line], in the order in which a microkernel reads
/// it. Conversions and act'(saved) are computed on the way, once for each element.

namespace Tegula::Impl {

/// Panels that are packed side by side.
inline constexpr int panels_at_once = 8;

/// One step of a panel, where lines are neighbours in memory.
template <class InstructionSet, class T>
void pack_step(const HostMatrix<T>& matrix, const T* in_place, std::int64_t line0, std::int64_t k, int lines, int pitch,
               T* __restrict out) {
  using Vector          = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int vectors = RegisterTile<T, InstructionSet>::vectors, whole = RegisterTile<T, InstructionSet>::columns;
  if (in_place != nullptr && lines == whole) {
    const Vector* const from = reinterpret_cast<const Vector*>(in_place + line0 + k * matrix.column_stride);
    for (int v = 0; v < vectors; ++v) reinterpret_cast<Vector*>(out)[v] = from[v];
  } else {
    read_run(matrix, line0, k, Along::column, lines, out);
    for (int line = lines; line < pitch; ++line) out[line] = T(0);
  }
}

/// Packs several panels side by side, whose lines are neighbours in memory: step by step along the inner dimension, so
/// that what lies together is read together. One panel after the other, each would visit every page of the operand.
template <class InstructionSet, class T, class Panels>
void pack_along_lines(const HostMatrix<T>& matrix, std::int64_t line0, std::int64_t k0, std::int64_t depth,
                      const Panels& panels, int begin, int end, T* __restrict base) {
  struct Place {  // of a panel; asked once, not at every step
    std::int64_t line0;
    int lines, pitch;
    T* out;
  };
  const T* const in_place = matrix.in_place().data;
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
        pack_step<InstructionSet>(matrix, in_place, at.line0, k0 + k, at.lines, at.pitch, at.out + k * at.pitch);
      }
    }
  }
}

/// The same for an operand that is formed. An activation takes some steps at once.
template <class InstructionSet, class T, class Panels>
void form_along_lines(const HostOperand<T>& operand, std::int64_t line0, std::int64_t k0, std::int64_t depth,
                      const Panels& panels, int begin, int end, T* __restrict base) {
  constexpr int most = 16;
  alignas(64) T saved[most * longest_run];
  for (std::int64_t k = 0; k < depth; k += most) {
    const int steps = static_cast<int>(std::min<std::int64_t>(most, depth - k));
    for (int p = begin; p < end; ++p) {
      const int first = panels.first(p), lines = panels.width(p), pitch = panels.padded(p);
      T* const out = base + (first - panels.first(begin)) * depth + k * pitch;
      for (int step = 0; step < steps; ++step) {
        pack_step<InstructionSet, T>(operand.matrix, nullptr, line0 + first, k0 + k + step, lines, pitch,
                                     out + step * pitch);
        if (!operand.slope.is_constant)
          read_run(operand.saved, line0 + first, k0 + k + step, Along::column, lines, saved + step * lines);
      }
      if (lines == pitch) {
        operand.slope.multiply(saved, steps * lines, out);
      } else {
        for (int step = 0; step < steps; ++step)
          operand.slope.multiply(saved + step * lines, lines, out + step * pitch);
      }
    }
  }
}

/// A processor fetches fewer lines ahead than a square has, which may lie on a page each. They are asked for so many
/// vectors before they are read.
inline constexpr int vectors_ahead = 4;

/// Reads a square of a matrix, as many lines and steps as a vector has elements: square[line] holds the steps. Where
/// there are fewer lines the last is repeated; what lies past the last step is not set.
template <class InstructionSet, class T>
void read_square(const HostMatrix<T>& matrix, const T* in_place, std::int64_t line0, int lines, std::int64_t k,
                 int steps, host_vector_t<T, InstructionSet> (&square)[host_lanes<T, InstructionSet>]) {
  using Vector        = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  if (in_place != nullptr && matrix.column_stride == 1) {
    const T* from        = in_place + line0 * matrix.row_stride + k;
    const auto load_each = [&](const auto& load) {
      for_each_constant<lanes>([&](auto line) {
        load(square[line]);
        prefetch_near(from + vectors_ahead * lanes);
        from += line + 1 < lines ? matrix.row_stride : 0;
      });
    };
    if (steps == lanes) {
      load_each([&](auto& to) { to = *reinterpret_cast<const Vector*>(from); });
    } else {
      load_each([&](auto& to) { PartVector<T, InstructionSet>::load(from, steps, to); });
    }
  } else {
    for (int line = 0; line < lanes; ++line)
      read_run(matrix, line0 + std::min(line, lines - 1), k, Along::row, steps, reinterpret_cast<T*>(&square[line]));
  }
}

/// The same for an operand that is formed.
template <class InstructionSet, class T>
void form_square(const HostOperand<T>& operand, std::int64_t line0, int lines, std::int64_t k, int steps,
                 host_vector_t<T, InstructionSet> (&square)[host_lanes<T, InstructionSet>]) {
  using Vector        = host_vector_t<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  Vector formed[lanes], saved[lanes];
  const auto values = [](Vector& vector) { return reinterpret_cast<T*>(&vector); };
  read_square<InstructionSet, T>(operand.matrix, operand.matrix.in_place().data, line0, lines, k, steps, formed);
  if (!operand.slope.is_constant)
    read_square<InstructionSet, T>(operand.saved, operand.saved.in_place().data, line0, lines, k, steps, saved);
  if (steps == lanes) {
    operand.slope.multiply(values(saved[0]), lines * lanes, values(formed[0]));
  } else {
    for (int line = 0; line < lines; ++line) operand.slope.multiply(values(saved[line]), steps, values(formed[line]));
  }
  for (int line = 0; line < lanes; ++line) square[line] = formed[line];
}

/// Halves the vectors until Count are left: of two that are half of all apart, the first halves are interleaved, and
/// what is in the others is lost.
template <int Lanes, int Count, int Given, class Vector>
inline void fold(const Vector (&given)[Given], Vector (&vectors)[Count]) {
  if constexpr (Given == Count) {
    for_each_constant<Count>([&](auto v) { vectors[v] = given[v]; });
  } else {
    Vector folded[Given / 2];
    for_each_constant<Given / 2>([&](auto v) { interleave<0, Lanes>(given[v], given[v + Given / 2], folded[v]); });
    fold<Lanes>(folded, vectors);
  }
}

/// Runs of Count elements, one behind the other: vectors[e] becomes element e of as many runs as it has elements.
template <class InstructionSet, int Count, class T>
inline void gather_dense_runs(const T* from, host_vector_t<T, InstructionSet> (&vectors)[Count]) {
  using Anywhere = host_vector_anywhere_t<T, InstructionSet>;
  for_each_constant<Count>([&](auto v) { vectors[v] = reinterpret_cast<const Anywhere*>(from)[v]; });
  shuffle_back<Count, host_lanes<T, InstructionSet>>(vectors);
}

/// The same of runs of `width` <= Count elements, `stride` apart, with zeros where there are no more. A square of
/// vectors would be empty for the most part: runs are folded into as few as they fill.
template <class InstructionSet, int Count, class T>
inline void gather_short_runs(const T* from, std::int64_t stride, int runs, int width,
                              host_vector_t<T, InstructionSet> (&vectors)[Count]) {
  constexpr int lanes = host_lanes<T, InstructionSet>;
  host_vector_t<T, InstructionSet> values[lanes];
  for_each_constant<lanes>([&](auto run) {
    PartVector<T, InstructionSet>::load(run < runs ? from + run * stride : from, run < runs ? width : 0, values[run]);
  });
  fold<lanes>(values, vectors);
  shuffle<Count, lanes>(vectors);
}

/// Runs of which a square of vectors would be empty for the most part.
template <int Lanes>
constexpr bool is_short(int width) {
  return Lanes >= 4 && 2 * width <= Lanes;
}

/// use(vectors) with their elements, gathered.
template <class InstructionSet, class T, class Use>
inline void with_short_runs(const T* from, std::int64_t stride, int runs, int width, const Use& use) {
  constexpr int lanes = host_lanes<T, InstructionSet>;
  if constexpr (lanes >= 4) {
    with_power_of_two<lanes / 2>(width, [&](auto count) {
      host_vector_t<T, InstructionSet> vectors[count];
      if (stride == count && width == count && runs == lanes) {
        gather_dense_runs<InstructionSet>(from, vectors);
      } else {
        gather_short_runs<InstructionSet>(from, stride, runs, width, vectors);
      }
      use(vectors);
    });
  }
}

/// Packs `lines` lines, whose steps are neighbours in memory, to panel[k pitch + line] with pitch >= lines; no result
/// depends on what lies between. The steps are read and transposed in squares. Whole vectors are stored even where
/// fewer lines are left: the excess falls where later steps will be stored, so the last lines of a panel go first. At
/// the end of the panel, where nothing follows, parts of vectors are stored.
template <class InstructionSet, class T>
void pack_along_depth(const HostOperand<T>& operand, std::int64_t line0, std::int64_t k0, int lines, std::int64_t depth,
                      int pitch, T* __restrict panel) {
  using Vector            = host_vector_t<T, InstructionSet>;
  using Stored            = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes     = host_lanes<T, InstructionSet>;
  const std::int64_t end  = depth * pitch;
  const T* const in_place = operand.matrix.in_place().data;
  for (std::int64_t k = 0; k < depth; k += lanes) {
    const int steps = static_cast<int>(std::min<std::int64_t>(lanes, depth - k));
    for (int first = (pitch - 1) / lanes * lanes; first >= 0; first -= lanes) {
      const int height = std::min(lanes, lines - first);
      const int width  = std::min(lanes, pitch - first);
      T* const out     = panel + k * pitch + first;
      if (is_short<lanes>(steps) && in_place != nullptr && operand.matrix.column_stride == 1 && !operand.is_formed()) {
        const T* const from = in_place + (line0 + first) * operand.matrix.row_stride + k0 + k;
        with_short_runs<InstructionSet>(from, operand.matrix.row_stride, height, steps, [&](const auto& vectors) {
          for (int step = 0; step < steps; ++step)
            PartVector<T, InstructionSet>::store(vectors[step], width, out + step * pitch);
        });
        continue;
      }
      Vector square[lanes];
      if (operand.is_formed()) {
        form_square<InstructionSet, T>(operand, line0 + first, height, k0 + k, steps, square);
      } else {
        read_square<InstructionSet, T>(operand.matrix, in_place, line0 + first, height, k0 + k, steps, square);
      }
      transpose(square);
      if (steps == lanes && out + (lanes - 1) * pitch + lanes <= panel + end) {
        for_each_constant<lanes>([&](auto step) { *reinterpret_cast<Stored*>(out + step * pitch) = square[step]; });
      } else {
        for_each_constant<lanes>([&](auto step) {
          if (step < steps) PartVector<T, InstructionSet>::store(square[step], width, out + step * pitch);
        });
      }
    }
  }
}

/// Packs panels [begin, end) of those that an operand's lines from line0 on are divided into, steps [k0, k0 + depth).
/// The first of them begins at base, and the others follow: panel p at base + (first(p) - first(begin)) depth.
template <class T, class Panels>
void pack_panels(Instructions instructions, const HostOperand<T>& operand, std::int64_t line0, std::int64_t k0,
                 std::int64_t depth, const Panels& panels, int begin, int end, T* base) {
  with_instructions(instructions, [&](auto set) {
    using InstructionSet = decltype(set);
    if (!operand.lines_are_contiguous()) {
      for (int p = begin; p < end; ++p)
        pack_along_depth<InstructionSet>(operand, line0 + panels.first(p), k0, panels.width(p), depth, panels.padded(p),
                                         base + (panels.first(p) - panels.first(begin)) * depth);
    } else if (operand.is_formed()) {
      form_along_lines<InstructionSet>(operand, line0, k0, depth, panels, begin, end, base);
    } else {
      pack_along_lines<InstructionSet>(operand.matrix, line0, k0, depth, panels, begin, end, base);
    }
  });
}

/// One vector of steps of few lines: to[line lanes + step], zeros past the last of the `depth` steps that there are.
/// Where lines are neighbours in memory, they are read and transposed together.
template <class InstructionSet, class T>
void pack_vector(const HostMatrix<T>& matrix, std::int64_t line0, std::int64_t k, int lines, std::int64_t depth,
                 T* __restrict to) {
  using Vector            = host_vector_t<T, InstructionSet>;
  using Stored            = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes     = host_lanes<T, InstructionSet>;
  const int steps         = static_cast<int>(std::clamp<std::int64_t>(depth, 0, lanes));
  const T* const in_place = matrix.in_place().data;
  for (int first = 0; first < lines; first += lanes) {
    const int width     = std::min(lanes, lines - first);
    T* const out        = to + first * lanes;
    const T* const from = in_place == nullptr ? nullptr : in_place + line0 + first + k * matrix.column_stride;
    if (from != nullptr && matrix.row_stride == 1 && width > 1 && is_short<lanes>(width)) {
      with_short_runs<InstructionSet>(from, matrix.column_stride, steps, width, [&](const auto& vectors) {
        for (int line = 0; line < width; ++line) reinterpret_cast<Stored*>(out)[line] = vectors[line];
      });
    } else if (from != nullptr && matrix.row_stride == 1 && width > 1) {
      Vector square[lanes];
      for (int step = 0; step < lanes; ++step)
        PartVector<T, InstructionSet>::load(from + std::min(step, steps - 1) * matrix.column_stride,
                                            step < steps ? width : 0, square[step]);
      transpose(square);
      for (int line = 0; line < width; ++line) reinterpret_cast<Stored*>(out)[line] = square[line];
    } else {
      for (int line = 0; line < width; ++line) {
        read_run(matrix, line0 + first + line, k, Along::row, steps, out + line * lanes);
        std::fill(out + line * lanes + steps, out + (line + 1) * lanes, T(0));
      }
    }
  }
}

/// All steps of so few lines that are neighbours in memory: a loop with nothing in it but the vectors.
template <class InstructionSet, int Count, class T>
void pack_short_runs(const T* from, std::int64_t stride, int lines, std::int64_t depth, T* __restrict panel) {
  using Stored        = host_vector_anywhere_t<T, InstructionSet>;
  constexpr int lanes = host_lanes<T, InstructionSet>;
  const auto pack     = [&](auto is_dense, int steps) {
    host_vector_t<T, InstructionSet> vectors[Count];
    if constexpr (is_dense) {
      gather_dense_runs<InstructionSet>(from, vectors);
    } else {
      gather_short_runs<InstructionSet>(from, stride, steps, lines, vectors);
    }
    for_each_constant<Count>([&](auto line) {
      if (line < lines) reinterpret_cast<Stored*>(panel)[line] = vectors[line];
    });
    from += steps * stride;
    panel += lines * lanes;
  };
  std::int64_t left = depth;
  if (stride == Count && lines == Count) {
    for (; left >= lanes; left -= lanes) pack(std::true_type(), lanes);
  } else {
    for (; left >= lanes; left -= lanes) pack(std::false_type(), lanes);
  }
  if (left > 0) pack(std::false_type(), static_cast<int>(left));
}

/// Packs few lines, at most inner_rows, in vectors of steps, as Tegula_HostInnerProduct.hpp reads them.
template <class T>
void pack_vectors(Instructions instructions, const HostOperand<T>& operand, std::int64_t line0, std::int64_t k0,
                  int lines, std::int64_t depth, T* __restrict panel) {
  with_instructions(instructions, [&](auto set) {
    using InstructionSet = decltype(set);
    constexpr int lanes  = host_lanes<T, InstructionSet>;
    if constexpr (lanes > 1) {
      const MatrixRef<const T> in_place = operand.in_place();
      if (in_place.data != nullptr && in_place.row_stride == 1 && lines > 1 && lines <= lanes) {
        with_power_of_two<lanes>(lines, [&](auto count) {
          pack_short_runs<InstructionSet, count>(&in_place(line0, k0), in_place.column_stride, lines, depth, panel);
        });
        return;
      }
    }
    for (std::int64_t k = 0; k < depth; k += lanes) {
      const int steps = static_cast<int>(std::min<std::int64_t>(lanes, depth - k));
      T* const out    = panel + k * lines;
      pack_vector<InstructionSet>(operand.matrix, line0, k0 + k, lines, depth - k, out);
      if (!operand.is_formed()) continue;
      alignas(64) T saved[inner_rows * lanes];
      if (!operand.slope.is_constant)
        pack_vector<InstructionSet>(operand.saved, line0, k0 + k, lines, depth - k, saved);
      if (steps == lanes) {
        operand.slope.multiply(saved, lines * lanes, out);
      } else {  // the zeros behind the last step stay
        for (int line = 0; line < lines; ++line)
          operand.slope.multiply(saved + line * lanes, steps, out + line * lanes);
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
