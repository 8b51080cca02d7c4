// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_BFLOAT16_HPP
#define TEGULA_TEST_BFLOAT16_HPP

#include <Tegula_OwnTypes.hpp>
#include <Tegula_Scalar.hpp>
#include <cstdint>
#include <cstring>

namespace Tegula::Test {

/// A storage type of the user's own: bfloat16 in plain integers, rounded to nearest even. It is 16 bits wide on a host
/// build too, where Kokkos' own 16-bit types are float.
struct Bfloat16 {
  std::uint16_t bits = 0;

  Bfloat16() = default;
  KOKKOS_FUNCTION explicit Bfloat16(float value) {
    std::uint32_t wide;
    memcpy(&wide, &value, sizeof(wide));
    const bool is_nan = (wide & 0x7fffffffu) > 0x7f800000u;
    bits = is_nan ? std::uint16_t(0x7fc0) : static_cast<std::uint16_t>((wide + 0x7fffu + ((wide >> 16) & 1u)) >> 16);
  }
  KOKKOS_FUNCTION explicit operator float() const {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value;
    memcpy(&value, &wide, sizeof(value));
    return value;
  }
};

}  // namespace Tegula::Test

template <>
struct Tegula::ScalarTraits<Tegula::Test::Bfloat16> {
  using accumulator                     = float;
  static constexpr double unit_roundoff = 0x1p-8;
  static constexpr const char* name     = "user_bf16";
};

#endif
