// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_ARGUMENTS_HPP
#define TEGULA_DIRECT_ARGUMENTS_HPP

#include <algorithm>

#include "Tegula_DirectConfig.hpp"

/// Arguments of the kernels of the direct family.

namespace Tegula::Impl {

/// C = act(alpha left right^T + beta C + bias), and Z the argument of act; rows are the long side. A kernel waits for
/// every 64 bytes of arguments that it reads, the first of which begin 16 bytes behind such a boundary. So what it
/// needs at once comes first, then what every call needs in the end, then the rest.
template <class Bits>
struct DirectArguments {
  using Sum                       = sum_t<Bits>;
  static constexpr bool sums_rows = false;  // of the left operand

  std::int32_t m, n, depth;
  std::uint8_t depth_warps : 4;  // log2 of the warps that share the depth of a tile
  std::uint8_t cluster : 4;      // log2 of the teams that do
  DirectRead read_left : 4;      // of the long operand: which kernel it is
  DirectRead read_right : 4;     // of the short one, likewise
  bool is_plain : 1;             // alpha = 1, beta = 0, no Z, Identity or Relu
  bool is_relu : 1;
  bool runs_along_columns : 1;  // C is stored column by column
  bool has_bias_of_rows : 1;    // not of columns
  Element bias_element;
  const Bits *left, *right;
  std::int64_t left_line, right_line;  // strides, in elements

  std::int64_t left_depth, right_depth;  // the same
  AnyMatrix C;
  void* bias;  // null: none
  std::int64_t bias_stride;

  AnyMatrix Z;
  ActivationChoice activation;
  Sum alpha, beta;
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
  const bool is_relu    = is_activation<Relu>(call.activation);
  const bool is_of_rows = call.bias.row_stride != 0;
  DirectArguments<Bits> arguments{};
  arguments.m     = static_cast<std::int32_t>(shape.m);
  arguments.n     = static_cast<std::int32_t>(shape.n);
  arguments.depth = static_cast<std::int32_t>(shape.k);
  // There is no kernel for a long operand that is read one by one beside a short one in runs.
  arguments.read_left = direct_read(call.left, lane_rows);
  arguments.read_right =
      arguments.read_left == DirectRead::elements ? DirectRead::elements : direct_read(call.right, lane_columns);
  arguments.is_plain = call.alpha == 1 && call.beta == 0 && call.Z.data == nullptr &&
                       (is_relu || is_activation<Identity>(call.activation));
  arguments.is_relu            = is_relu;
  arguments.runs_along_columns = call.C.is_column_major();
  arguments.has_bias_of_rows   = is_of_rows;
  arguments.bias_element       = call.bias.element;
  arguments.left               = call.left.data;
  arguments.right              = call.right.data;
  arguments.left_line          = call.left.row_stride;
  arguments.right_line         = call.right.row_stride;
  arguments.left_depth         = call.left.column_stride;
  arguments.right_depth        = call.right.column_stride;
  arguments.C                  = call.C;
  arguments.bias               = call.bias.data;
  arguments.bias_stride        = is_of_rows ? call.bias.row_stride : call.bias.column_stride;
  arguments.Z                  = call.Z;
  arguments.activation         = call.activation;
  arguments.alpha              = call.alpha;
  arguments.beta               = call.beta;
  return arguments;
}

}  // namespace Tegula::Impl

#endif
