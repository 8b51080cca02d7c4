// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with the flags of the build, as an application's activations are: a compiler contracts both to fused
// multiply-adds, or neither, so that bits are the same.
#define TEGULA_WITHOUT_KOKKOS
#include "Tegula_HostActivations.hpp"

#include <array>

#include "Tegula_ActivationRuns.hpp"
#include "Tegula_HostNumbers.hpp"

namespace Tegula::Impl {
namespace {

#if defined(__GNUC__)
template <class InstructionSet, class T, class ActivationType>
void apply_built_in(const void* functor, int count, void* values_of_run) {
  using Numbers = HostNumbers<T, InstructionSet>;
  T* const run  = static_cast<T*>(values_of_run);
  InstructionSet::run([&](auto) {
    const ActivationType activation = *static_cast<const ActivationType*>(functor);  // which stores might change
    change_vectors<InstructionSet>(run, count, run,
                                   [&](const T* from, int, int, T* to) { activation(Numbers::load(from)).store(to); });
  });
}

template <class InstructionSet, class T, class ActivationType>
void multiply_built_in_slope(const void* functor, const void* saved_of_run, const void* from_run, int count,
                             void* values_of_run) {
  using Numbers        = HostNumbers<T, InstructionSet>;
  const T* const saved = static_cast<const T*>(saved_of_run);
  T* const run         = static_cast<T*>(values_of_run);
  InstructionSet::run([&](auto) {
    constexpr int lanes             = host_lanes<T, InstructionSet>;
    const ActivationType activation = *static_cast<const ActivationType*>(functor);
    change_vectors<InstructionSet>(static_cast<const T*>(from_run), count, run,
                                   [&](const T* from, int first, int here, T* to) {
                                     alignas(64) T rest[lanes];
                                     const T* at = saved + first;
                                     if (here < lanes) {
                                       fill_vector(at, here, rest);
                                       at = rest;
                                     }
                                     (Numbers::load(from) * activation.derivative(Numbers::load(at))).store(to);
                                   });
  });
}
#endif

/// The functions of an activation for a set of instructions.
template <class T, class ActivationType>
ValueOfRun vectors_value(Instructions instructions) {
#if defined(__GNUC__)
  return of_instructions(instructions, [](auto set) { return &apply_built_in<decltype(set), T, ActivationType>; });
#else
  return value_of_run<T, ActivationType>(instructions);
#endif
}
template <class T, class ActivationType>
SlopeOfRun vectors_slope(Instructions instructions) {
#if defined(__GNUC__)
  if constexpr (ActivationType::saved != Saved::nothing)
    return of_instructions(instructions,
                           [](auto set) { return &multiply_built_in_slope<decltype(set), T, ActivationType>; });
#endif
  return slope_of_run<T, ActivationType>(instructions);
}

/// The functions of all activations that Tegula brings, by position. Identity has none; of values, nobody asks for it.
template <class T, class... Activations>
ValueOfRun value_at(Instructions instructions, int position, ActivationList<Identity, Activations...>) {
  constexpr std::array functions{&vectors_value<T, Activations>...};
  return functions[static_cast<std::size_t>(position - 1)](instructions);
}
template <class T, class... Activations>
SlopeOfRun slope_at(Instructions instructions, int position, ActivationList<Identity, Activations...>) {
  constexpr std::array functions{&vectors_slope<T, Activations>...};
  return position == 0 ? nullptr : functions[static_cast<std::size_t>(position - 1)](instructions);
}

}  // namespace

ValueOfRun built_in_value(Instructions instructions, int position, bool is_double) {
  return is_double ? value_at<double>(instructions, position, BuiltInActivations())
                   : value_at<float>(instructions, position, BuiltInActivations());
}

SlopeOfRun built_in_slope(Instructions instructions, int position, bool is_double) {
  return is_double ? slope_at<double>(instructions, position, BuiltInActivations())
                   : slope_at<float>(instructions, position, BuiltInActivations());
}

}  // namespace Tegula::Impl
