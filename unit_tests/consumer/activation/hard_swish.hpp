// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CONSUMER_HARD_SWISH_HPP
#define CONSUMER_HARD_SWISH_HPP

#include <Tegula.hpp>

namespace Consumer {

/// act(z) = z (z + h) / (2 h) within -h and h, 0 and z beyond. It is compiled into Tegula's kernels.
struct HardSwish {
  static constexpr Tegula::Saved saved = Tegula::Saved::pre_activation;
  static constexpr const char* name    = "hard_swish";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    const T h = static_cast<T>(half_width);
    return z <= -h ? T(0) : z >= h ? z : z * (z + h) / (2 * h);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T z) const {
    const T h = static_cast<T>(half_width);
    return z <= -h ? T(0) : z >= h ? T(1) : (2 * z + h) / (2 * h);
  }

  double half_width = 3;
};

}  // namespace Consumer

TEGULA_DECLARE_ACTIVATION(Consumer::HardSwish);

#endif
