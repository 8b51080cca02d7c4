// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostCallbacks.hpp"

#include <array>
#include <cstddef>

namespace Tegula::Impl {
namespace {

/// The functions of all activations that Tegula brings, by position. Identity has none.
template <class T, class... Activations>
constexpr auto values_of(Instructions instructions, int position, ActivationList<Identity, Activations...>) {
  constexpr std::array functions{&value_of_type<T, Activations>...};
  return position == 0 ? nullptr : functions[static_cast<std::size_t>(position - 1)](instructions);
}
template <class T, class... Activations>
constexpr auto slopes_of(Instructions instructions, int position, ActivationList<Identity, Activations...>) {
  constexpr std::array functions{&slope_of_type<T, Activations>...};
  return position == 0 ? nullptr : functions[static_cast<std::size_t>(position - 1)](instructions);
}

}  // namespace

HostElements<float> built_in_elements([[maybe_unused]] Element element, [[maybe_unused]] Instructions instructions) {
#if TEGULA_HAS_HALF
  if (element == Element::f16) return elements_of_type<float, half_t>(instructions);
#endif
#if TEGULA_HAS_BHALF
  if (element == Element::bf16) return elements_of_type<float, bhalf_t>(instructions);
#endif
  return {};
}

template <class T>
typename HostValue<T>::Function built_in_value(int position, Instructions instructions) {
  return values_of<T>(instructions, position, BuiltInActivations());
}

template <class T>
typename HostSlope<T>::Function built_in_slope(int position, Instructions instructions) {
  return slopes_of<T>(instructions, position, BuiltInActivations());
}

template HostValue<float>::Function built_in_value<float>(int, Instructions);
template HostValue<double>::Function built_in_value<double>(int, Instructions);
template HostSlope<float>::Function built_in_slope<float>(int, Instructions);
template HostSlope<double>::Function built_in_slope<double>(int, Instructions);

}  // namespace Tegula::Impl
