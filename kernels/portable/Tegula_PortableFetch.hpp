// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_FETCH_HPP
#define TEGULA_PORTABLE_FETCH_HPP

#include <cstring>
#include <utility>

#include "Tegula_PortablePack.hpp"
#include "product/Tegula_AnyOperand.hpp"

/// What a thread has fetched of an operand and not yet formed elements of.

namespace Tegula::Impl {

/// Packs of an operand, as memory has them. walk(matrix, take) calls take(p, part, read) for each of them that there
/// is: read(part) is the pack. form(operand, p, elements) forms the elements of one.
template <class Operand, int Packs, int Count>
struct FetchedPacks {
  decltype(std::declval<const Operand&>().parts(std::declval<PackReader<Count>>())) packs[Packs];

  template <class Walk>
  KOKKOS_FORCEINLINE_FUNCTION void fetch(const Operand& operand, const Walk& walk) {
    walk(operand, [&](int p, const Operand& part, const auto& read) { packs[p] = part.parts(read); });
  }

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void form(const Operand& operand, int p, Pack<T, Count>& elements) const {
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < Count; ++i) elements[i] = operand.form(packs[p], i);
  }
};

/// Of an operand whose element type is data: room for the largest.
template <class T, int Packs, int Count>
struct FetchedPacks<AnyOperand<T>, Packs, Count> {
  Pack<std::uint32_t, Count * sizeof(T) / sizeof(std::uint32_t)> packs[Packs];

  template <class Walk>
  KOKKOS_FORCEINLINE_FUNCTION void fetch(const AnyOperand<T>& operand, const Walk& walk) {
    with_element<T>(operand.element, [&]<class Storage>() {
      walk(operand, [&](int p, const AnyOperand<T>& part, const auto& read) {
        const Pack<Storage, Count> pack = read(part.template as<Storage>());
        std::memcpy(&packs[p], static_cast<const void*>(&pack), sizeof(pack));
      });
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION void form(const AnyOperand<T>& operand, int p, Pack<T, Count>& elements) const {
    with_element<T>(operand.element, [&]<class Storage>() {
      Pack<Storage, Count> pack;
      std::memcpy(static_cast<void*>(&pack), &packs[p], sizeof(pack));
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Count; ++i) elements[i] = static_cast<T>(pack[i]);
    });
  }
};

template <class T, int Packs, int Count>
struct FetchedPacks<AnyGradientOperand<T>, Packs, Count> {
  FetchedPacks<AnyOperand<T>, Packs, Count> dC, saved;

  template <class Walk>
  KOKKOS_FORCEINLINE_FUNCTION void fetch(const AnyGradientOperand<T>& operand, const Walk& walk) {
    dC.fetch(operand.dC, walk);
    if (operand.reads_saved()) saved.fetch(operand.saved, walk);
  }

  KOKKOS_FORCEINLINE_FUNCTION void form(const AnyGradientOperand<T>& operand, int p, Pack<T, Count>& elements) const {
    dC.form(operand.dC, p, elements);
    if (!operand.reads_saved()) return;
    Pack<T, Count> values;
    saved.form(operand.saved, p, values);
    with_activation<T>(operand.activation, [&](const auto& act) {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < Count; ++i) elements[i] *= act.derivative(values[i]);
    });
  }
};

}  // namespace Tegula::Impl

#endif
