// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_LINE_ADDRESSES_HPP
#define TEGULA_HOST_LINE_ADDRESSES_HPP

#include <cstdint>
#include <type_traits>

#include "Tegula_HostVector.hpp"

/// Where lines of an operand are, and their elements in registers, for the innermost loops.

namespace Tegula::Impl {
namespace {  // as the files that hold these loops

/// Keeps the compiler from knowing where a value came from. It would find an address of its own for every line, and
/// registers for few of them.
template <class Value>
inline Value without_origin(Value value) {
#if defined(__GNUC__)
  asm("" : "+r"(value));
#endif
  return value;
}

/// Keeps a value that was loaded in a register. GCC takes a load for as cheap as a register, and would load it again
/// for each multiply-add.
template <class Vector>
inline void keep_in_register(Vector& value) {
#if TEGULA_HOST_X86_64 && !defined(__clang__)
  asm("" : "+v"(value));
#else
  (void)value;
#endif
}

/// The elements of `Lines` lines that belong to a step, a stride apart; those of the next step are `step` behind them.
/// An address of every fifth line, the stride and three times the stride are enough for all: x86 adds one, two or four
/// times a register.
template <class T, int Lines, class Stride, class Step>
class LineAddresses {
  static constexpr int group = 5, groups = (Lines + group - 1) / group;

 public:
  LineAddresses(const T* lines, Stride stride, Step step) : stride_(stride), step_(step), three_(3 * stride) {
    for_each_constant<groups>([&](auto g) { bases_[g] = lines + g * group * stride; });
    advance(0);
    if constexpr (!is_known) three_ = without_origin(three_);
  }

  /// Of a line, in this step.
  template <int Line>
  const T* at() const {
    constexpr int in_group = Line % group;
    const T* const base    = bases_[Line / group];
    return in_group == 3 ? base + three_ : base + in_group * stride_;
  }
  void advance(std::int64_t steps) {
    for_each_constant<groups>([&](auto g) {
      bases_[g] += steps * step_;
      if constexpr (!is_known) bases_[g] = without_origin(bases_[g]);
    });
  }

 private:
  static constexpr bool is_known = !std::is_same_v<Stride, std::int64_t>;  // then distances are in instructions

  const T* bases_[groups];
  Stride stride_;
  Step step_;
  std::int64_t three_;
};

}  // namespace
}  // namespace Tegula::Impl

#endif
