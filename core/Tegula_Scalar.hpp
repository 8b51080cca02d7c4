// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SCALAR_HPP
#define TEGULA_SCALAR_HPP

#include <type_traits>

#include "Tegula_AnyMatrix.hpp"
#include "Tegula_KokkosCompat.hpp"

namespace Tegula {

/// What Tegula knows of a storage type. To add one, specialise this with
///   accumulator    the type in which products are formed and summed; the storage type converts to and from it
///   unit_roundoff  half the distance from 1 to the next larger number
///   name           as it appears in labels and tables
/// A file whose calls have elements of such a type includes Tegula_OwnTypes.hpp besides Tegula.hpp.
template <class Storage>
struct ScalarTraits;

template <>
struct ScalarTraits<double> {
  using accumulator                     = double;
  static constexpr double unit_roundoff = 0x1p-53;
  static constexpr const char* name     = "f64";
};

template <>
struct ScalarTraits<float> {
  using accumulator                     = float;
  static constexpr double unit_roundoff = 0x1p-24;
  static constexpr const char* name     = "f32";
};

namespace Impl {
// Without a device half_t and bhalf_t are float, which has its traits already; these then stand for nothing.
struct NoHalf;
struct NoBhalf;
using distinct_half_t  = std::conditional_t<std::is_same_v<half_t, float>, NoHalf, half_t>;
using distinct_bhalf_t = std::conditional_t<std::is_same_v<bhalf_t, float>, NoBhalf, bhalf_t>;

template <>
inline constexpr Element element_of<distinct_half_t> = Element::f16;
template <>
inline constexpr Element element_of<distinct_bhalf_t> = Element::bf16;
}  // namespace Impl

template <>
struct ScalarTraits<Impl::distinct_half_t> {
  using accumulator                     = float;
  static constexpr double unit_roundoff = 0x1p-11;
  static constexpr const char* name     = "f16";
};

template <>
struct ScalarTraits<Impl::distinct_bhalf_t> {
  using accumulator                     = float;
  static constexpr double unit_roundoff = 0x1p-8;
  static constexpr const char* name     = "bf16";
};

/// A type that may be the element of an operand.
template <class Storage>
concept Scalar = requires {
  typename ScalarTraits<Storage>::accumulator;
};

/// The type in which sums of products of Storage are formed: double for double, float for float and the 16-bit types.
template <Scalar Storage>
using accumulator_t = typename ScalarTraits<Storage>::accumulator;

/// Whether these storage types may meet in one call: all are known, and all accumulate in the same type.
template <class First, class... Others>
inline constexpr bool accumulate_alike = [] {
  if constexpr ((Scalar<First> && ... && Scalar<Others>)) {
    return (std::is_same_v<accumulator_t<First>, accumulator_t<Others>> && ...);
  } else {
    return false;
  }
}();

}  // namespace Tegula

#endif
