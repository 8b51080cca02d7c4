// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STRIDED_ARGUMENTS_HPP
#define TEGULA_STRIDED_ARGUMENTS_HPP

#include "Tegula_CudaCall.hpp"

/// Arguments of kernels that read operands of any strides.

namespace Tegula::Impl {

/// C = act(alpha left right^T + beta C + bias), and Z the argument of act. `How` says how a family goes about it, in
/// two bytes. A kernel waits for every 64 bytes of arguments that it reads, the first of which begin 16 bytes behind
/// such a boundary. So what it needs at once comes first, then what every call needs in the end, then the rest.
template <class Bits, class How>
struct StridedArguments {
  using Sum = sum_t<Bits>;

  std::int32_t m, n, depth;
  How how;
  bool is_plain : 1;  // alpha = 1, beta = 0, no Z, no layer below, Identity or Relu
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

  static_assert(sizeof(How) == 2 && alignof(How) == 1);
};

/// The arguments of a call, but for `how`.
template <class How, class Bits>
StridedArguments<Bits, How> strided_arguments(const ProductCall<Bits>& call, const GemmShape& shape) {
  const bool is_relu    = is_activation<Relu>(call.activation);
  const bool is_of_rows = call.bias.row_stride != 0;
  StridedArguments<Bits, How> arguments{};
  arguments.m        = static_cast<std::int32_t>(shape.m);
  arguments.n        = static_cast<std::int32_t>(shape.n);
  arguments.depth    = static_cast<std::int32_t>(shape.k);
  arguments.is_plain = call.alpha == 1 && call.beta == 0 && call.Z.data == nullptr && call.below.slope.is_one &&
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
