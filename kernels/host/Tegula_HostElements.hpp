// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_ELEMENTS_HPP
#define TEGULA_HOST_ELEMENTS_HPP

#include <cstdint>

#include "Tegula_Call.hpp"
#include "Tegula_HostInstructions.hpp"

/// How elements of type Storage become accumulators T on a host, and back, compiled for each set of instructions: by
/// the library for half_t and bhalf_t, by a user's file for its own.

namespace Tegula::Impl {

template <class InstructionSet, class T, class Storage>
void read_elements(const void* data, std::int64_t first, std::int64_t distance, int count, void* values_of_run) {
  const auto* const from     = static_cast<const Storage*>(data) + first;
  T* const __restrict values = static_cast<T*>(values_of_run);
  InstructionSet::run([&](auto) {
    if (distance == 1) {
      for (int e = 0; e < count; ++e) values[e] = static_cast<T>(from[e]);
    } else {
      for (int e = 0; e < count; ++e) values[e] = static_cast<T>(from[e * distance]);
    }
  });
}

template <class InstructionSet, class T, class Storage>
void write_elements(void* data, std::int64_t first, std::int64_t distance, int count, const void* values_of_run) {
  auto* const to                   = static_cast<Storage*>(data) + first;
  const T* const __restrict values = static_cast<const T*>(values_of_run);
  InstructionSet::run([&](auto) {
    if (distance == 1) {
      for (int e = 0; e < count; ++e) to[e] = static_cast<Storage>(values[e]);
    } else {
      for (int e = 0; e < count; ++e) to[e * distance] = static_cast<Storage>(values[e]);
    }
  });
}

template <class T, class Storage>
ReadRun read_of_run(Instructions instructions) {
  return of_instructions(instructions, [](auto set) { return &read_elements<decltype(set), T, Storage>; });
}
template <class T, class Storage>
WriteRun write_of_run(Instructions instructions) {
  return of_instructions(instructions, [](auto set) { return &write_elements<decltype(set), T, Storage>; });
}

template <class T, class Storage>
inline constexpr ElementRuns element_runs{&read_of_run<T, Storage>, &write_of_run<T, Storage>};

}  // namespace Tegula::Impl

#endif
