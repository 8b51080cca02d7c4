// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ACTIVATION_CHOICE_HPP
#define TEGULA_ACTIVATION_CHOICE_HPP

#include <tuple>
#include <type_traits>

#include "Tegula_TileOrder.hpp"

/// An activation as data, for kernels that choose while they run. Nothing here needs Kokkos.

namespace Tegula {

struct Identity;
struct Relu;
struct LeakyRelu;
struct Tanh;
struct Sigmoid;
struct Silu;
struct GeluTanh;
struct GeluErf;

namespace Impl {

template <class... Activations>
struct ActivationList {
  static constexpr int count = sizeof...(Activations);

  /// The activation at a position.
  template <int position>
  using at = std::tuple_element_t<position, std::tuple<Activations...>>;

  /// Position of an activation, or -1.
  template <class Activation>
  TEGULA_HOST_DEVICE static constexpr int position() {
    int at = 0, found = -1;
    ((found = std::is_same_v<Activation, Activations> ? at : found, ++at), ...);
    return found;
  }
};
using BuiltInActivations = ActivationList<Identity, Relu, LeakyRelu, Tanh, Sigmoid, Silu, GeluTanh, GeluErf>;

/// Those whose value is a few operations. The others' takes an exponential.
using PlainActivations = ActivationList<Identity, Relu, LeakyRelu>;

/// Those whose derivative is a few operations on what Saved::output or Saved::nothing stands for. The others' take an
/// exponential.
using OutputActivations = ActivationList<Identity, Relu, LeakyRelu, Tanh, Sigmoid>;

/// Whether Tegula brings an activation.
template <class Activation>
inline constexpr bool is_built_in = BuiltInActivations::position<Activation>() >= 0;

/// An activation that Tegula brings; Identity unless said otherwise.
struct ActivationChoice {
  int position = 0;  // in BuiltInActivations
  double slope = 0;  // of LeakyRelu
};

template <class Activation>
TEGULA_HOST_DEVICE bool is_activation(const ActivationChoice& choice) {
  return choice.position == BuiltInActivations::position<Activation>();
}

/// Whether it is one of a list.
template <class... Activations>
bool is_one_of(ActivationList<Activations...>, const ActivationChoice& choice) {
  return (is_activation<Activations>(choice) || ...);
}

template <class Activation>
ActivationChoice activation_choice(const Activation& activation) {
  static_assert(is_built_in<Activation>);
  ActivationChoice choice{BuiltInActivations::position<Activation>()};
  if constexpr (std::is_same_v<Activation, LeakyRelu>) choice.slope = activation.slope;
  return choice;
}

}  // namespace Impl
}  // namespace Tegula

#endif
