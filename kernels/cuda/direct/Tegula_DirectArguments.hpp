// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_ARGUMENTS_HPP
#define TEGULA_DIRECT_ARGUMENTS_HPP

#include <algorithm>

#include "../Tegula_StridedArguments.hpp"
#include "Tegula_DirectConfig.hpp"

/// Arguments of the kernels of the direct family.

namespace Tegula::Impl {

/// How the depth of a tile is shared, and which kernel it is.
struct DirectHow {
  std::uint8_t depth_warps : 4;  // log2 of the warps that share it
  std::uint8_t cluster : 4;      // log2 of the teams that do
  DirectRead read_left : 4;      // of the long operand
  DirectRead read_right : 4;     // of the short one
};

/// Rows are the long side. With a layer below, what is stored is multiplied by act'(saved).
template <class Bits>
struct DirectArguments : StridedArguments<Bits, DirectHow> {
  static constexpr bool sums_rows = false;  // of the left operand

  AnyMatrix saved_below;
  OutputSlope<sum_t<Bits>> slope_below;
};

/// How an operand is read whose lines a lane has `lines` of, next to each other.
template <class Bits>
DirectRead direct_read(const MatrixRef<const Bits>& operand, std::int64_t lines) {
  const auto starts_at = [&](std::int64_t stride, std::int64_t bytes) {
    return reinterpret_cast<std::uintptr_t>(operand.data) % bytes == 0 &&
           stride * static_cast<std::int64_t>(sizeof(Bits)) % bytes == 0;
  };
  if (operand.column_stride == 1 && starts_at(operand.row_stride, 16)) return DirectRead::depth;
  const std::int64_t run = std::min<std::int64_t>(16, lines * sizeof(Bits));
  if (operand.row_stride == 1 && operand.rows % lines == 0 && starts_at(operand.column_stride, run))
    return DirectRead::lines;
  return DirectRead::elements;
}

/// The arguments of a call with long rows, but for how it is cut. A lane has so many of its rows and columns.
template <class Bits>
DirectArguments<Bits> direct_arguments(const ProductCall<Bits>& call, const GemmShape& shape, std::int64_t lane_rows,
                                       std::int64_t lane_columns) {
  DirectArguments<Bits> arguments{strided_arguments<DirectHow>(call, shape), call.below.saved, call.below.slope};
  DirectHow& how = arguments.how;
  // There is no kernel for a long operand that is read one by one beside a short one in runs.
  how.read_left  = direct_read(call.left, lane_rows);
  how.read_right = how.read_left == DirectRead::elements ? DirectRead::elements : direct_read(call.right, lane_columns);
  return arguments;
}

}  // namespace Tegula::Impl

#endif
