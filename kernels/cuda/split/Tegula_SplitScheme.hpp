// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SPLIT_SCHEME_HPP
#define TEGULA_SPLIT_SCHEME_HPP

#include <cstdint>

#include "Tegula_KokkosCompat.hpp"

/// Products of floats from products of 16-bit parts: what is computed, and how large its error may be.
///
///   C(i, j) = sum over blocks b of  2^(e(i, b) + f(j, b))  sum over k in b of  x(i, k) y(j, k)
///
/// A block is `split_depth` neighbours of a line: of a row of A or of a column of B. x = a / 2^e is the element scaled
/// so that the largest of its block lies in [2^14, 2^15), as far as |e| <= 60; scaling is exact. Then
///
///   f16:   x = h + l / 2^11 + r,        x y ~ h h' + (h l' + l h') / 2^11
///   bf16:  x = b0 + b1 + b2,            x y ~ b0 b0' + (b0 b1' + b1 b0') + (b1 b1' + b0 b2' + b2 b0')
///
/// where each part is what is left, rounded to its 16-bit type. Tensor cores form the products exactly and add them
/// within a block; blocks are added in float. Let u = 2^-24.
///
/// f16. If |x| >= 2^-13 then |r| <= 2u |x|: l is a normal number then. Smaller x have |r| <= 2^-36. What is left out,
/// l l' / 2^22, is at most 4u |x y|. If no element is small but zeros, the error of representation is at most
/// 8u sum |a b|. Otherwise let s elements of a block of x, and t of a block of y, be smaller than 2^5. If s + t is less
/// than the length of the block, some k has |x y| >= 2^10, while small elements bring an error of at most 2 * 64 *
/// 2^-36 * 2^15 = 2^-14 into the block: u times that product. With s and t the largest of the whole operands this holds
/// for all blocks. A block of zeros has no error at all and counts as s = 0. So the scheme is taken where one of both
/// conditions holds; the error of representation is then at most 9u sum |a b|.
///
/// bf16. Three parts have all bits of x unless some fall below 2^-126, which is less than 2^-139 of the largest x of
/// the block. What is left out is at most 2.1u |x y|. Any finite a and b will do: where |e| would be more than 60, x is
/// still exact and its parts are within the range of bf16.
///
/// Sums. Within a block tensor cores add four (f16) times 16 products and cut off what is below the last bit of a
/// float; blocks are added as SGEMM would add single products, but there are only k / 64 of them.
///
/// Inf and NaN have no parts: where an operand has any, floats are multiplied as they are.

namespace Tegula::Impl {

/// Elements of a block, along the inner dimension.
inline constexpr int split_depth = 64;

/// How products are formed. The safest of what the blocks ask for is taken for all.
enum class SplitRoute : std::uint32_t { half_parts, bhalf_parts, exact };

/// l of the f16 scheme is stored times this.
inline constexpr float split_low_factor = 2048;

/// Below: an element that f16 parts do not represent to float's accuracy. A large element, in the sense of the
/// condition above, is not less than `split_large`.
inline constexpr float split_small = 0x1p-13f, split_large = 32;

/// The bits of |x| order as the numbers do; Inf and NaN come last.
inline constexpr std::uint32_t infinity_bits = 0x7F800000;
TEGULA_HOST_DEVICE constexpr std::uint32_t magnitude_bits(std::uint32_t bits) { return bits & 0x7FFFFFFF; }

/// The bits of 2^e for a block whose largest magnitude has these bits.
TEGULA_HOST_DEVICE constexpr std::uint32_t block_scale_bits(std::uint32_t largest) {
  constexpr int top = 14, bias = 127, most = 60, mantissa = 23;
  const int exponent = static_cast<int>(largest >> mantissa) - bias - top;
  const int clamped  = exponent < -most ? -most : exponent > most ? most : exponent;
  return static_cast<std::uint32_t>(clamped + bias) << mantissa;
}

/// The bits of 2^-e, given those of 2^e.
TEGULA_HOST_DEVICE constexpr std::uint32_t reciprocal_bits(std::uint32_t power_of_two) {
  return (254u << 23) - power_of_two;
}

/// Whether a scaled block reaches beyond 2^15 because its scale was clamped.
TEGULA_HOST_DEVICE constexpr bool is_beyond_half(std::uint32_t largest) { return largest >> 23 >= 127 + 75; }

/// What the blocks of an operand ask for. Reports are merged in any order.
struct SplitReport {
  std::uint32_t not_large = 0;  // elements of a block that are not large: the most of any block
  bool has_small          = false;
  bool has_non_finite     = false;

  /// As a word, of which the bits of `not_large` are the lowest.
  TEGULA_HOST_DEVICE constexpr std::uint32_t word() const {
    return not_large | static_cast<std::uint32_t>(has_small) << small_bit |
           static_cast<std::uint32_t>(has_non_finite) << non_finite_bit;
  }
  TEGULA_HOST_DEVICE static constexpr SplitReport of(std::uint32_t word) {
    return {word & count_bits, (word >> small_bit & 1) != 0, (word >> non_finite_bit & 1) != 0};
  }
  TEGULA_HOST_DEVICE constexpr void merge(const SplitReport& other) {
    not_large      = not_large > other.not_large ? not_large : other.not_large;
    has_small      = has_small || other.has_small;
    has_non_finite = has_non_finite || other.has_non_finite;
  }

  static constexpr std::uint32_t count_bits = 0xFF;
  static constexpr int small_bit = 8, non_finite_bit = 9;
};

/// The route that both operands allow; `shortest` is the length of the shortest block.
TEGULA_HOST_DEVICE constexpr SplitRoute split_route(const SplitReport& left, const SplitReport& right, int shortest) {
  if (left.has_non_finite || right.has_non_finite) return SplitRoute::exact;
  const bool has_small = left.has_small || right.has_small;
  const bool is_dense  = left.not_large + right.not_large < static_cast<std::uint32_t>(shortest);
  return !has_small || is_dense ? SplitRoute::half_parts : SplitRoute::bhalf_parts;
}

/// The length of the shortest block of lines of `depth` > 0 elements.
TEGULA_HOST_DEVICE constexpr int shortest_block(std::int64_t depth) {
  const auto rest = static_cast<int>(depth % split_depth);
  return rest == 0 ? split_depth : rest;
}

}  // namespace Tegula::Impl

#endif
