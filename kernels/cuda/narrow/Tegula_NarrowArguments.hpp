// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_ARGUMENTS_HPP
#define TEGULA_NARROW_ARGUMENTS_HPP

#include "../Tegula_StridedArguments.hpp"
#include "Tegula_NarrowConfig.hpp"

/// Arguments of the kernels of the narrow family.

namespace Tegula::Impl {

/// How the depth of a tile is shared, and how operands are read.
struct NarrowHow {
  std::uint8_t depth_warps : 4;  // log2 of the warps that share it
  std::uint8_t cluster : 4;      // log2 of the teams that do
  NarrowForm long_form : 4;
  NarrowShortRead read_short : 4;
};

/// Rows are the long side.
template <class Bits>
struct NarrowArguments : StridedArguments<Bits, NarrowHow> {
  static constexpr bool sums_rows = false;  // of the left operand
};

/// Elements of a run of 16 bytes.
template <class Bits>
inline constexpr std::int64_t narrow_unit = 16 / sizeof(Bits);

/// Whether runs begin at multiples of 16 bytes in all of an operand's lines that are so far apart.
template <class Bits>
bool begins_aligned(const Bits* data, std::int64_t stride) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && stride % narrow_unit<Bits> == 0;
}

/// Whether an operand has a contiguous direction.
template <class Bits>
bool has_runs(const MatrixRef<const Bits>& operand) {
  return operand.column_stride == 1 || operand.row_stride == 1;
}

/// How a long operand with a contiguous direction lies. Where lines run, all of them end with a run, or none is
/// aligned.
template <class Bits>
NarrowForm narrow_form(const MatrixRef<const Bits>& operand) {
  if (operand.column_stride == 1)
    return begins_aligned(operand.data, operand.row_stride) ? NarrowForm::depth : NarrowForm::unaligned_depth;
  return begins_aligned(operand.data, operand.column_stride) && operand.rows % narrow_unit<Bits> == 0
             ? NarrowForm::lines
             : NarrowForm::unaligned_lines;
}

template <class Bits>
NarrowShortRead narrow_short_read(const MatrixRef<const Bits>& operand) {
  if (operand.column_stride == 1 && begins_aligned(operand.data, operand.row_stride)) return NarrowShortRead::runs;
  const bool has_pairs = sizeof(Bits) == 2 && operand.row_stride == 1 && operand.rows % 2 == 0 &&
                         operand.column_stride % 2 == 0 && reinterpret_cast<std::uintptr_t>(operand.data) % 4 == 0;
  return has_pairs ? NarrowShortRead::pairs_of_lines : NarrowShortRead::elements;
}

/// The arguments of a call with long rows, but for how it is cut.
template <class Bits>
NarrowArguments<Bits> narrow_arguments(const ProductCall<Bits>& call, const GemmShape& shape) {
  NarrowArguments<Bits> arguments{strided_arguments<NarrowHow>(call, shape)};
  arguments.how.long_form  = narrow_form(call.left);
  arguments.how.read_short = narrow_short_read(call.right);
  return arguments;
}

}  // namespace Tegula::Impl

#endif
