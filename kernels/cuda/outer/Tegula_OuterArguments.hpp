// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_ARGUMENTS_HPP
#define TEGULA_OUTER_ARGUMENTS_HPP

#include <bit>

#include "../direct/Tegula_DirectArguments.hpp"
#include "Tegula_OuterConfig.hpp"

namespace Tegula::Impl {

/// Arguments of the kernels of the outer family: a call as the direct family passes it on, and its tiles. Neighbouring
/// lanes have neighbouring columns.
template <class Bits>
struct OuterArguments : DirectArguments<Bits> {
  std::int32_t warp_rows_log2;  // of the rows of a tile that a warp has
  std::int32_t tile_columns;    // tiles side by side
  bool stores_runs;             // plain results of the operands' type, contiguous along rows
};

/// The call with the contiguous direction of C along rows, if there is one.
template <class Bits>
ProductCall<Bits> with_contiguous_rows(const ProductCall<Bits>& call) {
  return call.C.is_column_major() ? transposed(call) : call;
}

template <class Bits>
OuterArguments<Bits> outer_arguments(const ProductCall<Bits>& product, const GemmShape& shape, std::int64_t rows) {
  const ProductCall<Bits> call = with_contiguous_rows(product);
  OuterArguments<Bits> arguments{direct_arguments(call, product.C.is_column_major() ? shape.transposed() : shape, 1, 1),
                                 0, 0, false};
  arguments.warp_rows_log2 = std::countr_zero(static_cast<unsigned>(rows / outer_warps));
  arguments.tile_columns   = static_cast<std::int32_t>(ceil_div(arguments.n, std::int64_t(outer_columns)));
  arguments.stores_runs    = arguments.is_plain && call.C.element == call.input && call.C.column_stride == 1;
  return arguments;
}

}  // namespace Tegula::Impl

#endif
