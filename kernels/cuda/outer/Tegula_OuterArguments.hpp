// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_ARGUMENTS_HPP
#define TEGULA_OUTER_ARGUMENTS_HPP

#include <bit>

#include "../Tegula_StridedArguments.hpp"
#include "Tegula_OuterConfig.hpp"

namespace Tegula::Impl {

struct OuterHow {
  std::uint8_t warp_rows_log2;  // of the rows of a tile that a warp has
  bool stores_runs : 1;         // C is of the operands' type, and contiguous along rows
  bool stores_Z_in_runs : 1;    // likewise
};

/// Arguments of the kernels of the outer family. Neighbouring lanes have neighbouring columns.
template <class Bits>
using OuterArguments = StridedArguments<Bits, OuterHow>;

/// The call with the contiguous direction of C along rows, if there is one.
template <class Bits>
ProductCall<Bits> with_contiguous_rows(const ProductCall<Bits>& call) {
  return call.C.is_column_major() ? transposed(call) : call;
}

template <class Bits>
OuterArguments<Bits> outer_arguments(const ProductCall<Bits>& product, const GemmShape& shape, std::int64_t rows) {
  const ProductCall<Bits> call = with_contiguous_rows(product);
  auto arguments        = strided_arguments<OuterHow>(call, product.C.is_column_major() ? shape.transposed() : shape);
  const auto is_in_runs = [&](const AnyMatrix& m) { return m.element == call.input && m.column_stride == 1; };
  arguments.how         = {static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(rows / outer_warps))),
                           is_in_runs(call.C), is_in_runs(call.Z)};
  return arguments;
}

}  // namespace Tegula::Impl

#endif
