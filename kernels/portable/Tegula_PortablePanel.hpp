// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_PANEL_HPP
#define TEGULA_PORTABLE_PANEL_HPP

#include <utility>

#include "Tegula_PortablePack.hpp"

/// Panels of operands in the scratch of a team of many threads, and how they come there.

namespace Tegula::Impl {

/// Where the elements of Lines x Depth of an operand lie. The lines of one k are neighbours, so that a thread reads its
/// own in packs. Behind every pack of k's there is a gap: threads that bring neighbouring packs along the inner
/// dimension write to that many different k's at once, and the gaps spread those over the banks of scratch.
template <class T, int Lines, int Depth>
struct PortablePanel {
  static constexpr int pack           = pack_size<T>;
  static constexpr int packs_of_depth = Depth / pack;
  static_assert(Depth % pack == 0 && Lines % pack == 0);

  static constexpr int banks = 32 * 4 / static_cast<int>(sizeof(T));  // in elements, as devices have them
  static constexpr int gap   = banks / packs_of_depth > pack ? banks / packs_of_depth / pack* pack : pack;
  static constexpr int size  = Depth * Lines + packs_of_depth * gap;

  KOKKOS_FUNCTION static constexpr int offset(int line, int k) { return k * Lines + k / pack * gap + line; }
};

/// Whether an operand of so many lines and depth can be read pack by pack along its contiguous dimension.
template <int Count, class Operand>
bool packs_are_whole(const Operand& operand, std::int64_t depth) {
  const bool along_depth = operand.depth_is_contiguous();
  return (along_depth ? depth : operand.lines()) % Count == 0 && operand.all(PacksAreWhole<Count>{along_depth});
}

/// A thread's share of a panel: it fetches the parts of its elements into registers, and later forms the elements and
/// puts them into scratch. A share is packs along the operand's contiguous dimension. What lies past the operand's
/// lines or past the depth of a step becomes zero. ByPacks: packs_are_whole(operand, ...) holds, and packs are read at
/// once; otherwise they are read element by element.
template <class T, int Lines, int Depth, int Threads, bool ByPacks, class Operand>
class PanelShare {
 public:
  using Panel = PortablePanel<T, Lines, Depth>;

  static constexpr int pack  = Panel::pack;
  static constexpr int packs = Lines * Depth / pack / Threads;
  static_assert(packs * Threads * pack == Lines * Depth, "all threads have a share, and the same");

  KOKKOS_FUNCTION PanelShare(int rank, const Operand& operand, std::int64_t line0, std::int64_t k0)
      : along_depth_(operand.depth_is_contiguous()),
        whole_lines_(operand.lines() - line0 >= Lines),
        lines_(whole_lines_ ? Lines : static_cast<int>(operand.lines() - line0)),
        line_(along_depth_ ? rank / packs_of_depth : rank % packs_of_lines * pack),
        k_(along_depth_ ? rank % packs_of_depth * pack : rank / packs_of_lines),
        line_step_(along_depth_ ? line_step : 0),
        k_step_(along_depth_ ? 0 : k_step),
        next_(operand.from(line0 + line_, k0 + k_)) {}

  /// What the elements of one step are formed from; zeros where there is nothing to fetch.
  struct Fetched {
    decltype(std::declval<const Operand&>().parts(std::declval<PackReader<pack>>())) packs[PanelShare::packs];
  };

  /// Whether all lines of the panel are lines of the operand.
  KOKKOS_FUNCTION bool has_whole_lines() const { return whole_lines_; }

  /// Fetches the next step, a whole one of whole lines.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_whole(Fetched& fetched) {
    Operand at = next_;
    TEGULA_UNROLL_ON_DEVICE
    for (int e = 0; e < packs; ++e) {
      fetched.packs[e] = read(at, pack);
      at               = at.from(line_step_, k_step_);
    }
    next_ = next_.from(0, Depth);
  }

  /// Fetches what there is of the next step, of which `depth` is left.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_rest(int depth, Fetched& fetched) {
    fetched    = {};
    Operand at = next_;
    TEGULA_UNROLL_ON_DEVICE
    for (int e = 0; e < packs; ++e) {
      const int line = line_ + e * line_step_, k = k_ + e * k_step_;
      if (line < lines_ && k < depth) fetched.packs[e] = read(at, along_depth_ ? depth - k : lines_ - line);
      at = at.from(line_step_, k_step_);
    }
    next_ = next_.from(0, Depth);
  }

  /// Puts what was fetched into a panel.
  KOKKOS_FORCEINLINE_FUNCTION void put(int depth, const Fetched& fetched, T* panel) const {
    T* const first = panel + Panel::offset(line_, k_);
    if (along_depth_) {
      TEGULA_UNROLL_ON_DEVICE
      for (int e = 0; e < packs; ++e) {
        const auto elements = form(e, depth, fetched);
        TEGULA_UNROLL_ON_DEVICE
        for (int i = 0; i < pack; ++i) first[e * line_step + i * Lines] = elements[i];
      }
    } else {
      TEGULA_UNROLL_ON_DEVICE
      for (int e = 0; e < packs; ++e)
        *reinterpret_cast<Pack<T, pack>*>(first + Panel::offset(0, e * k_step)) = form(e, depth, fetched);
    }
  }

 private:
  // Neighbouring threads bring neighbouring packs, and the next pack of a thread lies so many lines or k's further.
  static constexpr int packs_of_depth = Depth / pack, packs_of_lines = Lines / pack;
  static constexpr int line_step = Threads / packs_of_depth, k_step = Threads / packs_of_lines;
  static_assert(packs == 1 || (line_step * packs_of_depth == Threads && k_step * packs_of_lines == Threads));
  static_assert(packs == 1 || k_step % pack == 0, "the gaps of a panel between two packs are as many everywhere");

  /// The first pack of an operand, or `left` elements of it.
  KOKKOS_FORCEINLINE_FUNCTION auto read(const Operand& at, int left) const {
    if constexpr (ByPacks) {
      return at.parts(PackReader<pack>());
    } else {
      return at.parts(ElementReader<pack>{along_depth_, left});
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Pack<T, pack> form(int e, int depth, const Fetched& fetched) const {
    Pack<T, pack> elements;
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < pack; ++i) {
      const int line = line_ + e * line_step_ + (along_depth_ ? 0 : i), k = k_ + e * k_step_ + (along_depth_ ? i : 0);
      const bool inside = Operand::zeros_form_zero || (line < lines_ && k < depth);
      elements[i]       = inside ? next_.form(fetched.packs[e], i) : T(0);
    }
    return elements;
  }

  bool along_depth_, whole_lines_;
  int lines_;
  int line_, k_;            // this thread's first element in a panel
  int line_step_, k_step_;  // from there to that of its next pack
  Operand next_;            // seen from the first element in the next step
};

}  // namespace Tegula::Impl

#endif
