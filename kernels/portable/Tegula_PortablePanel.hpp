// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_PANEL_HPP
#define TEGULA_PORTABLE_PANEL_HPP

#include "Tegula_PortableFetch.hpp"
#include "Tegula_PortableLayout.hpp"

/// Panels of operands in the scratch of a team of many threads, and how they come there.

namespace Tegula::Impl {

/// Whether an operand of so many lines and depth can be read pack by pack along its contiguous dimension.
template <int Count, class Operand>
bool packs_are_whole(const Operand& operand, std::int64_t depth) {
  const bool along_depth = operand.depth_is_contiguous();
  return (along_depth ? depth : operand.lines()) % Count == 0 && operand.all(PacksAreWhole<Count>{along_depth});
}

/// A thread's share of a panel: it fetches the parts of its elements into registers, and later forms the elements and
/// puts them into scratch. A share is packs along the operand's contiguous dimension. What lies past the operand's
/// lines or past the depth of a step becomes zero. by_packs: packs_are_whole(operand, ...) holds, and packs are read at
/// once; otherwise they are read element by element. It is a bool, or Known, with which a kernel is faster.
template <class T, int Lines, int Depth, int Threads, class ByPacks, class Operand>
class PanelShare {
 public:
  using Panel = PortablePanel<T, Lines, Depth>;

  static constexpr int pack  = Panel::pack;
  static constexpr int packs = Lines * Depth / pack / Threads;
  static_assert(packs * Threads * pack == Lines * Depth, "all threads have a share, and the same");

  /// What the elements of one step are formed from; zeros where there is nothing to fetch.
  using Fetched = FetchedPacks<Operand, packs, pack>;

  KOKKOS_FUNCTION PanelShare(int rank, const Operand& operand, ByPacks by_packs, std::int64_t line0, std::int64_t k0)
      : by_packs_(by_packs),
        along_depth_(operand.depth_is_contiguous()),
        whole_lines_(operand.lines() - line0 >= Lines),
        lines_(whole_lines_ ? Lines : static_cast<int>(operand.lines() - line0)),
        line_(along_depth_ ? rank / packs_of_depth : rank % packs_of_lines * pack),
        k_(along_depth_ ? rank % packs_of_depth * pack : rank / packs_of_lines),
        line_step_(along_depth_ ? line_step : 0),
        k_step_(along_depth_ ? 0 : k_step),
        next_(operand.from(line0 + line_, k0 + k_)) {}

  /// Whether all lines of the panel are lines of the operand.
  KOKKOS_FUNCTION bool has_whole_lines() const { return whole_lines_; }

  /// Fetches the next step, a whole one of whole lines.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_whole(Fetched& fetched) {
    if (by_packs_) {
      fetch(
          fetched, [](int, int) { return true; }, [](int, int) { return PackReader<pack>(); });
    } else {
      fetch(
          fetched, [](int, int) { return true; },
          [&](int, int) {
            return ElementReader<pack>{along_depth_, pack};
          });
    }
  }

  /// Fetches what there is of the next step, of which `depth` is left.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_rest(int depth, Fetched& fetched) {
    fetched           = {};
    const auto inside = [&](int line, int k) { return line < lines_ && k < depth; };
    if (by_packs_) {
      fetch(fetched, inside, [](int, int) { return PackReader<pack>(); });
    } else {
      fetch(fetched, inside, [&](int line, int k) {
        return ElementReader<pack>{along_depth_, along_depth_ ? depth - k : lines_ - line};
      });
    }
  }

  /// Puts what was fetched into a panel.
  KOKKOS_FORCEINLINE_FUNCTION void put(int depth, const Fetched& fetched, T* panel) const {
    T* const first = panel + Panel::offset(line_, k_);
    TEGULA_UNROLL_ON_DEVICE
    for (int p = 0; p < packs; ++p) {
      Pack<T, pack> elements;
      fetched.form(next_, p, elements);
      if constexpr (!Operand::zeros_form_zero) clear_outside(p, depth, elements);
      if (along_depth_) {
        TEGULA_UNROLL_ON_DEVICE
        for (int i = 0; i < pack; ++i) first[p * line_step + i * Lines] = elements[i];
      } else {
        *reinterpret_cast<Pack<T, pack>*>(first + Panel::offset(0, p * k_step)) = elements;
      }
    }
  }

 private:
  // Neighbouring threads bring neighbouring packs, and the next pack of a thread lies so many lines or k's further.
  static constexpr int packs_of_depth = Depth / pack, packs_of_lines = Lines / pack;
  static constexpr int line_step = Threads / packs_of_depth, k_step = Threads / packs_of_lines;
  static_assert(packs == 1 || (line_step * packs_of_depth == Threads && k_step * packs_of_lines == Threads));
  static_assert(packs == 1 || k_step % pack == 0, "the gaps of a panel between two packs are as many everywhere");

  /// Fetches the packs whose first element is inside(line, k) with reader(line, k), and goes on to the next step.
  template <class Inside, class Reader>
  KOKKOS_FORCEINLINE_FUNCTION void fetch(Fetched& fetched, const Inside& inside, const Reader& reader) {
    fetched.fetch(next_, [&](auto part, const auto& take) {
      TEGULA_UNROLL_ON_DEVICE
      for (int p = 0; p < packs; ++p) {
        const int line = line_ + p * line_step_, k = k_ + p * k_step_;
        if (inside(line, k)) take(p, part, reader(line, k));
        part = part.from(line_step_, k_step_);
      }
    });
    next_ = next_.from(0, Depth);
  }

  KOKKOS_FORCEINLINE_FUNCTION void clear_outside(int p, int depth, Pack<T, pack>& elements) const {
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < pack; ++i) {
      const int line = line_ + p * line_step_ + (along_depth_ ? 0 : i), k = k_ + p * k_step_ + (along_depth_ ? i : 0);
      if (line >= lines_ || k >= depth) elements[i] = T(0);
    }
  }

  ByPacks by_packs_;
  bool along_depth_, whole_lines_;
  int lines_;
  int line_, k_;            // this thread's first element in a panel
  int line_step_, k_step_;  // from there to that of its next pack
  Operand next_;            // seen from the first element in the next step
};

}  // namespace Tegula::Impl

#endif
