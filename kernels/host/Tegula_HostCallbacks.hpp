// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_CALLBACKS_HPP
#define TEGULA_HOST_CALLBACKS_HPP

#include <algorithm>
#include <type_traits>

#include "Tegula_Activation.hpp"
#include "Tegula_ActivationChoice.hpp"
#include "Tegula_HostCall.hpp"
#include "Tegula_HostVector.hpp"
#include "Tegula_Scalar.hpp"

/// Functions on runs (Tegula_HostCall.hpp), compiled for each set of instructions: the library's for the activations
/// and element types that it knows, a user's file its own. A function is chosen for a call, not for a run.

namespace Tegula::Impl {

/// choose(set) for a set of instructions: Baseline(), Avx2() or Avx512().
template <class Choose>
auto of_instructions(Instructions instructions, const Choose& choose) {
  switch (instructions) {
    case Instructions::avx512:
      return choose(Avx512());
    case Instructions::avx2:
      return choose(Avx2());
    case Instructions::baseline:
      break;
  }
  return choose(Baseline());
}

template <class InstructionSet, class T, class Storage>
void read_elements(const void* data, std::int64_t first, std::int64_t distance, int count, T* __restrict values) {
  const auto* const from = static_cast<const Storage*>(data) + first;
  InstructionSet::run([&](auto) {
    if (distance == 1) {
      for (int e = 0; e < count; ++e) values[e] = static_cast<T>(from[e]);
    } else {
      for (int e = 0; e < count; ++e) values[e] = static_cast<T>(from[e * distance]);
    }
  });
}

template <class InstructionSet, class T, class Storage>
void write_elements(void* data, std::int64_t first, std::int64_t distance, int count, const T* __restrict values) {
  auto* const to = static_cast<Storage*>(data) + first;
  InstructionSet::run([&](auto) {
    if (distance == 1) {
      for (int e = 0; e < count; ++e) to[e] = static_cast<Storage>(values[e]);
    } else {
      for (int e = 0; e < count; ++e) to[e * distance] = static_cast<Storage>(values[e]);
    }
  });
}

/// change(values) for every vector of a run, an array of T in memory. What is left of the run goes to a vector whose
/// other elements repeat its last one, so that an element's bits do not depend on its place.
template <class InstructionSet, class T, class Change>
void change_vectors(int count, T* run, const Change& change) {
  constexpr int lanes = host_lanes<T, InstructionSet>;
  for (int first = 0; first < count; first += lanes) {
    alignas(64) T rest[lanes];
    const int here  = std::min(lanes, count - first);
    T* const values = here == lanes ? run + first : rest;
    if (here < lanes)
      for (int lane = 0; lane < lanes; ++lane) rest[lane] = run[first + std::min(lane, here - 1)];
    change(values, first, here);
    if (here < lanes)
      for (int lane = 0; lane < here; ++lane) run[first + lane] = rest[lane];
  }
}

template <class InstructionSet, class T, class ActivationType>
void apply_activation(const void* functor, int count, T* run) {
  const auto& activation = *static_cast<const ActivationType*>(functor);
  InstructionSet::run([&](auto) {
    change_vectors<InstructionSet>(count, run, [&](T* values, int, int) {
      constexpr int lanes = host_lanes<T, InstructionSet>;
      alignas(64) T changed[lanes];
      for (int lane = 0; lane < lanes; ++lane) changed[lane] = static_cast<T>(activation(values[lane]));
      for (int lane = 0; lane < lanes; ++lane) values[lane] = changed[lane];
    });
  });
}

template <class InstructionSet, class T, class ActivationType>
void multiply_slope(const void* functor, const T* saved, int count, T* run) {
  const auto& activation = *static_cast<const ActivationType*>(functor);
  InstructionSet::run([&](auto) {
    constexpr int lanes = host_lanes<T, InstructionSet>;
    if constexpr (ActivationType::saved == Saved::nothing) {
      const T slope = static_cast<T>(activation.derivative(T(0)));
      for (int e = 0; e < count; ++e) run[e] *= slope;
    } else {
      change_vectors<InstructionSet>(count, run, [&](T* values, int first, int here) {
        alignas(64) T slopes[lanes];
        const T* from = saved + first;
        if (here < lanes) {
          for (int lane = 0; lane < lanes; ++lane) slopes[lane] = from[std::min(lane, here - 1)];
          from = slopes;
        }
        alignas(64) T changed[lanes];
        for (int lane = 0; lane < lanes; ++lane)
          changed[lane] = values[lane] * static_cast<T>(activation.derivative(from[lane]));
        for (int lane = 0; lane < lanes; ++lane) values[lane] = changed[lane];
      });
    }
  });
}

/// Compiles what is missing.
template <class T, class Storage>
HostElements<T> elements_of_type(Instructions instructions) {
  using Stored = std::remove_const_t<Storage>;
  HostElements<T> elements;
  elements.read = of_instructions(instructions, [](auto set) { return &read_elements<decltype(set), T, Stored>; });
  if constexpr (!std::is_const_v<Storage>)
    elements.write = of_instructions(instructions, [](auto set) { return &write_elements<decltype(set), T, Stored>; });
  return elements;
}
template <class T, class ActivationType>
typename HostValue<T>::Function value_of_type(Instructions instructions) {
  return of_instructions(instructions, [](auto set) { return &apply_activation<decltype(set), T, ActivationType>; });
}
template <class T, class ActivationType>
typename HostSlope<T>::Function slope_of_type(Instructions instructions) {
  return of_instructions(instructions, [](auto set) { return &multiply_slope<decltype(set), T, ActivationType>; });
}

/// Those of the library: of half_t and bhalf_t where they are types of their own, and of BuiltInActivations by
/// position. Null: elements are accumulators, act(z) = z, act' = 1.
HostElements<float> built_in_elements(Element element, Instructions instructions);
template <class T>
typename HostValue<T>::Function built_in_value(int position, Instructions instructions);
template <class T>
typename HostSlope<T>::Function built_in_slope(int position, Instructions instructions);

/// The functions for a type, the library's where it has them.
template <class T, class Storage>
HostElements<T> host_elements(Instructions instructions) {
  using Stored = std::remove_const_t<Storage>;
  if constexpr (std::is_same_v<Stored, T>) {
    return {};
  } else if constexpr (std::is_same_v<Stored, half_t> || std::is_same_v<Stored, bhalf_t>) {
    return built_in_elements(element_of<Stored>, instructions);
  } else {
    return elements_of_type<T, Storage>(instructions);
  }
}
template <class T, class ActivationType>
HostValue<T> host_value(const ActivationType& activation, Instructions instructions) {
  if constexpr (is_built_in<ActivationType>) {
    return {&activation, built_in_value<T>(BuiltInActivations::position<ActivationType>(), instructions)};
  } else {
    return {&activation, value_of_type<T, ActivationType>(instructions)};
  }
}
template <class T, class ActivationType>
HostSlope<T> host_slope(const ActivationType& activation, Instructions instructions) {
  constexpr bool is_constant = ActivationType::saved == Saved::nothing;
  if constexpr (is_built_in<ActivationType>) {
    return {&activation, built_in_slope<T>(BuiltInActivations::position<ActivationType>(), instructions), is_constant};
  } else {
    return {&activation, slope_of_type<T, ActivationType>(instructions), is_constant};
  }
}

}  // namespace Tegula::Impl

#endif
