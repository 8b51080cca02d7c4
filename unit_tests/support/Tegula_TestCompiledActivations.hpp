// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_COMPILED_ACTIVATIONS_HPP
#define TEGULA_TEST_COMPILED_ACTIVATIONS_HPP

#include <Tegula.hpp>

/// Activations of a user's that are compiled into the library's kernels. Which one is told apart by its values, and its
/// state by more than one of them.

namespace Tegula::Test {

/// act(z) = z for z > 0, slope z / (1 + |z|) otherwise; |act'| <= 1 for |slope| <= 1. It has no default.
template <int Kind>
struct Bend {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "bend";

  explicit Bend(double slope_) : slope(slope_) {}

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return z <= T(0) ? T(slope) * z / (T(1) - z) : z;
  }

  double slope;
};

using CompiledBend       = Bend<0>;  // for all types
using DoubleCompiledBend = Bend<1>;  // for double alone

}  // namespace Tegula::Test

TEGULA_DECLARE_ACTIVATION(Tegula::Test::Bend<0>);
TEGULA_DECLARE_ACTIVATION(Tegula::Test::Bend<1>);

#endif
