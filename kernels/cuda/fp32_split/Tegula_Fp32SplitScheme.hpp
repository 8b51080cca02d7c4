// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_SCHEME_HPP
#define TEGULA_FP32_SPLIT_SCHEME_HPP

#include <cstdint>

#include "Tegula_TileOrder.hpp"

/// Products of floats from products of 16-bit parts: what is computed, and how large its error may be.
///
///   C(i, j) = 2^(e + f) sum over k  x(i, k) y(j, k)
///
/// Every line (row of A, column of B) has a scale of its own: x = a / 2^e, exactly, where the largest of a sample of 64
/// elements of the line lies in [2^10, 2^11), as far as |e| <= 60. Then
///
///   f16:   x = h + l / 2^11 + r,        x y ~ h h' + (h l' + l h') / 2^11
///   bf16:  x = b0 + b1 + b2,            x y ~ b0 b0' + (b0 b1' + b1 b0') + (b1 b1' + b0 b2' + b2 b0')
///
/// where each part is what is left, rounded to its 16-bit type. Let u = 2^-24.
///
/// f16. If |x| >= 2^-13 then |r| <= 2u |x|: l is a normal number then. Smaller x have |r| <= 2^-36. What is left out,
/// l l' / 2^22, is at most 4u |x y|. If all |x| are below 2^15 and none is small but zeros, the error of representation
/// is at most 8u sum |a b|. If some are small, let all |x| be below 2^14. In any 64 steps of any two lines, let s of x
/// and t of y be below 12. If s + t is less than the number of steps, some k has |x y| >= 144, while small elements
/// bring an error of at most 2 * 64 * 2^-36 * 2^14 = 2^-15: 4u times that product. A line that is zero there has no
/// error and counts as s = 0. So the scheme is taken where one of both conditions holds; the error of representation is
/// then at most 12u sum |a b|.
///
/// bf16. Three parts have all bits of x unless some fall below 2^-126, which is less than 2^-136 of the largest of the
/// sample. What is left out is at most 2.1u |x y|. All |x| are to be below 2^60, so that no product overflows unless
/// the result does. Where |e| would be more than 60, x is still exact and its parts are within the range of bf16.
///
/// Sums. Tensor cores form the products exactly, 16 at a time, add them, and cut off what is below the last bit of a
/// float. They add twice for the products of first parts; then that sum is added in float, so that there are k / 32
/// such additions, not k as in SGEMM. If they added four times, they would lose more than SGEMM rounds where all
/// products have the same sign. The other products are smaller by 2^10 (f16) or 2^7 (bf16), and stay with the tensor
/// cores: what these cut off in 64 steps is at most 2^-6 u (f16) or 2^-1 u (bf16) of sum |a b|.
///
/// Inf and NaN have no parts: where an operand has any, or |x| from 2^60 on, floats are multiplied unsplit.

namespace Tegula::Impl {

/// The tile that a team splits at a time: steps along the inner dimension, and lines.
inline constexpr int split_depth = 64, split_lines = 64;

/// How products are formed. The safest route that any elements ask for is taken for all.
enum class Fp32SplitRoute : std::uint32_t { half_parts, bhalf_parts, exact };

/// The f16 scheme stores l times this.
inline constexpr float split_low_factor = 2048;

/// Magnitudes of scaled elements, as bits, which are ordered as the numbers are; Inf and NaN come last. Below
/// `split_small`, 2^-13, f16 parts are less accurate than float. From `split_beyond`, 2^15, on there are no f16 parts.
/// If some elements are small, many must reach `split_large`, 12, and none `split_big`, 2^14. From `split_most`, 2^60,
/// on there are no bf16 parts either.
inline constexpr std::uint32_t split_small = (127u - 13) << 23, split_large = 0x41400000, split_big = (127u + 14) << 23,
                               split_beyond = (127u + 15) << 23, split_most = (127u + 60) << 23;

TEGULA_HOST_DEVICE constexpr std::uint32_t magnitude_bits(std::uint32_t bits) { return bits & 0x7FFFFFFF; }

/// The bits of 2^e for a line, given the bits of the largest magnitude in its sample. A sample of zeros tells nothing;
/// its largest magnitude is taken to be 1.
TEGULA_HOST_DEVICE constexpr std::uint32_t line_scale_bits(std::uint32_t largest) {
  constexpr int top = 10, bias = 127, most = 60, mantissa = 23;
  const int exponent = largest == 0 ? -top : static_cast<int>(largest >> mantissa) - bias - top;
  const int clamped  = exponent < -most ? -most : exponent > most ? most : exponent;
  return static_cast<std::uint32_t>(clamped + bias) << mantissa;
}

/// The bits of 2^-e, given those of 2^e.
TEGULA_HOST_DEVICE constexpr std::uint32_t reciprocal_bits(std::uint32_t power_of_two) {
  return (254u << 23) - power_of_two;
}

/// What the elements of an operand ask for. Reports are merged in any order.
struct Fp32SplitReport {
  std::uint32_t not_large = 0;  // the most elements of any line in 64 neighbours that are not large
  std::uint32_t has       = 0;  // bits

  static constexpr std::uint32_t small = 1, big = 2, beyond = 4, most = 8;

  TEGULA_HOST_DEVICE constexpr std::uint32_t word() const { return has << 8 | not_large; }
  TEGULA_HOST_DEVICE static constexpr Fp32SplitReport of(std::uint32_t word) { return {word & 0xFF, word >> 8}; }
  TEGULA_HOST_DEVICE constexpr void merge(const Fp32SplitReport& other) {
    not_large = not_large > other.not_large ? not_large : other.not_large;
    has |= other.has;
  }
};

/// The bits of a normal number times 2^e, given those of both. Scaling could underflow; this cannot.
TEGULA_HOST_DEVICE constexpr std::uint32_t scaled_back(std::uint32_t bits, std::uint32_t scale) {
  return bits + scale - (127u << 23);
}

/// What the elements of a line ask for, given the bits of its scale, of its largest magnitude before scaling, and of
/// its smallest one that is not zero.
TEGULA_HOST_DEVICE constexpr std::uint32_t elements_have(std::uint32_t smallest, std::uint32_t largest,
                                                         std::uint32_t scale) {
  return (smallest < scaled_back(split_small, scale) ? Fp32SplitReport::small : 0) |
         (largest >= scaled_back(split_big, scale) ? Fp32SplitReport::big : 0) |
         (largest >= scaled_back(split_beyond, scale) ? Fp32SplitReport::beyond : 0) |
         (largest >= scaled_back(split_most, scale) ? Fp32SplitReport::most : 0);
}

/// The route that both operands allow; `shortest` is the length of the shortest block of neighbours.
TEGULA_HOST_DEVICE constexpr Fp32SplitRoute split_route(const Fp32SplitReport& left, const Fp32SplitReport& right,
                                                        int shortest) {
  const std::uint32_t has = left.has | right.has;
  if ((has & Fp32SplitReport::most) != 0) return Fp32SplitRoute::exact;
  if ((has & Fp32SplitReport::beyond) != 0) return Fp32SplitRoute::bhalf_parts;
  if ((has & Fp32SplitReport::small) == 0) return Fp32SplitRoute::half_parts;
  const bool is_dense = left.not_large + right.not_large < static_cast<std::uint32_t>(shortest);
  return is_dense && (has & Fp32SplitReport::big) == 0 ? Fp32SplitRoute::half_parts : Fp32SplitRoute::bhalf_parts;
}

/// The length of the shortest block of lines of `depth` > 0 elements.
TEGULA_HOST_DEVICE constexpr int shortest_block(std::int64_t depth) {
  const auto rest = static_cast<int>(depth % split_depth);
  return rest == 0 ? split_depth : rest;
}

}  // namespace Tegula::Impl

#endif
