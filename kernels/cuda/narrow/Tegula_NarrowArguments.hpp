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
struct NarrowArguments : StridedArguments<std::uint16_t, NarrowHow> {
  static constexpr bool sums_rows = false;  // of the left operand
};

/// Whether runs of 8 elements begin at multiples of 16 bytes in all of an operand's lines that are so far apart.
inline bool begins_aligned(const std::uint16_t* data, std::int64_t stride) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && stride % 8 == 0;
}

/// Whether an operand has a contiguous direction.
inline bool has_runs(const MatrixRef<const std::uint16_t>& operand) {
  return operand.column_stride == 1 || operand.row_stride == 1;
}

/// How a long operand with a contiguous direction lies. Where lines run, all of them end with a run, or none is
/// aligned.
inline NarrowForm narrow_form(const MatrixRef<const std::uint16_t>& operand) {
  if (operand.column_stride == 1)
    return begins_aligned(operand.data, operand.row_stride) ? NarrowForm::depth : NarrowForm::unaligned_depth;
  return begins_aligned(operand.data, operand.column_stride) && operand.rows % 8 == 0 ? NarrowForm::lines
                                                                                      : NarrowForm::unaligned_lines;
}

inline NarrowShortRead narrow_short_read(const MatrixRef<const std::uint16_t>& operand) {
  if (operand.column_stride == 1 && begins_aligned(operand.data, operand.row_stride)) return NarrowShortRead::runs;
  const bool has_pairs = operand.row_stride == 1 && operand.rows % 2 == 0 && operand.column_stride % 2 == 0 &&
                         reinterpret_cast<std::uintptr_t>(operand.data) % 4 == 0;
  return has_pairs ? NarrowShortRead::pairs_of_lines : NarrowShortRead::elements;
}

/// The arguments of a call with long rows, but for how it is cut.
inline NarrowArguments narrow_arguments(const ProductCall<std::uint16_t>& call, const GemmShape& shape) {
  NarrowArguments arguments{strided_arguments<NarrowHow>(call, shape)};
  arguments.how.long_form  = narrow_form(call.left);
  arguments.how.read_short = narrow_short_read(call.right);
  return arguments;
}

}  // namespace Tegula::Impl

#endif
