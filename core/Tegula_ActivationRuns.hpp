// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ACTIVATION_RUNS_HPP
#define TEGULA_ACTIVATION_RUNS_HPP

#include <algorithm>

#include "Tegula_Activation.hpp"
#include "Tegula_Call.hpp"
#include "Tegula_HostInstructions.hpp"

/// An activation on runs of accumulators T, compiled for each set of instructions of a host, by a user's file for its
/// own; the library has Tegula_HostActivations.cpp for Tegula's. A function is chosen for a call, not for a run.

namespace Tegula::Impl {

/// vector[e] = from[e] for the `count` elements that there are, fewer than a vector has. The last is repeated behind
/// them.
template <class T, int Lanes>
void fill_vector(const T* from, int count, T (&vector)[Lanes]) {
  for (T& value : vector) value = from[count - 1];
  copy_rest<Lanes / 2>(from, count, vector);
}

/// change(from, first, here, to) for every vector of a run, arrays of T in memory, which may be one. What is left of
/// the run goes to a vector whose other elements repeat its last one, and through the same instructions: an element's
/// bits do not depend on its place.
template <class InstructionSet, class T, class Change>
void change_vectors(const T* from, int count, T* run, const Change& change) {
  constexpr int lanes       = host_lanes<T, InstructionSet>;
  const int whole           = count - count % lanes;
  alignas(64) T rest[lanes] = {};
  T* to                     = run;
  for (int first = 0, end = whole > 0 ? whole : count; first < count; end = count) {
    if (first == whole) {
      fill_vector(from, count - whole, rest);
      from = to = rest;
    }
    for (; first < end; first += lanes, from += lanes, to += lanes)
      change(from, first, std::min(lanes, count - first), to);
  }
  if (whole < count) copy_rest<lanes / 2>(rest, count - whole, run + whole);
}

template <class InstructionSet, class T, class ActivationType>
void apply_activation(const void* functor, int count, void* values_of_run) {
  const auto& activation = *static_cast<const ActivationType*>(functor);
  T* const run           = static_cast<T*>(values_of_run);
  InstructionSet::run([&](auto) {
    change_vectors<InstructionSet>(run, count, run, [&](const T* from, int, int, T* to) {
      constexpr int lanes = host_lanes<T, InstructionSet>;
      alignas(64) T changed[lanes];
      for (int lane = 0; lane < lanes; ++lane) changed[lane] = static_cast<T>(activation(from[lane]));
      for (int lane = 0; lane < lanes; ++lane) to[lane] = changed[lane];
    });
  });
}

template <class InstructionSet, class T, class ActivationType>
void multiply_slope(const void* functor, const void* saved_of_run, const void* from_run, int count,
                    void* values_of_run) {
  const auto& activation = *static_cast<const ActivationType*>(functor);
  const T* const saved   = static_cast<const T*>(saved_of_run);
  const T* const from    = static_cast<const T*>(from_run);
  T* const run           = static_cast<T*>(values_of_run);
  InstructionSet::run([&](auto) {
    constexpr int lanes = host_lanes<T, InstructionSet>;
    if constexpr (ActivationType::saved == Saved::nothing) {
      const T slope = static_cast<T>(activation.derivative(T(0)));
      for (int e = 0; e < count; ++e) run[e] = from[e] * slope;
    } else {
      change_vectors<InstructionSet>(from, count, run, [&](const T* values, int first, int here, T* to) {
        alignas(64) T rest[lanes];
        const T* at = saved + first;
        if (here < lanes) {
          fill_vector(at, here, rest);
          at = rest;
        }
        alignas(64) T changed[lanes];
        for (int lane = 0; lane < lanes; ++lane)
          changed[lane] = values[lane] * static_cast<T>(activation.derivative(at[lane]));
        for (int lane = 0; lane < lanes; ++lane) to[lane] = changed[lane];
      });
    }
  });
}

/// The functions of an activation for a set of instructions.
template <class T, class ActivationType>
ValueOfRun value_of_run(Instructions instructions) {
  return of_instructions(instructions, [](auto set) { return &apply_activation<decltype(set), T, ActivationType>; });
}
template <class T, class ActivationType>
SlopeOfRun slope_of_run(Instructions instructions) {
  return of_instructions(instructions, [](auto set) { return &multiply_slope<decltype(set), T, ActivationType>; });
}

}  // namespace Tegula::Impl

#endif
