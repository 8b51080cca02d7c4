// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_ACTIVATIONS_HPP
#define TEGULA_TEST_ACTIVATIONS_HPP

#include <Tegula_Saved.hpp>
#if defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
#include <Tegula_OwnTypes.hpp>  // on these, activations of a user's own need it
#endif

/// Activations that the library does not know, as a user writes them: one for each kind of what the backward pass
/// needs. And `saved` of gemm_backward for any activation.

namespace Tegula::Test {

/// act(z) = z + p sin(z), act' = 1 + p cos(z).
struct Wave {
  static constexpr Saved saved      = Saved::pre_activation;
  static constexpr const char* name = "wave";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return z + T(p) * Impl::math::sin(z);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T z) const {
    return T(1) + T(p) * Impl::math::cos(z);
  }

  double p = 0.125;
};

/// y = act(z) = z / (1 + |z|), act' = (1 - |y|)^2.
struct Softsign {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "softsign";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return z / (T(1) + (z < 0 ? -z : z));
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T y) const {
    const T rest = T(1) - (y < 0 ? -y : y);
    return rest * rest;
  }
};

/// act(z) = factor z, whose derivative is constant, but not 1.
struct Gain {
  static constexpr Saved saved      = Saved::nothing;
  static constexpr const char* name = "gain";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return T(factor) * z;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T) const {
    return T(factor);
  }

  double factor = 0.7;
};

/// A View as what the activation's derivative takes. Where it takes nothing, it is given the View all the same, which
/// is not to be read.
template <class View, class ActivationType>
auto saved_in(const View& view, const ActivationType&) {
  if constexpr (ActivationType::saved == Saved::pre_activation) {
    return PreActivation(view);
  } else {
    return Output(view);
  }
}

}  // namespace Tegula::Test

#endif
