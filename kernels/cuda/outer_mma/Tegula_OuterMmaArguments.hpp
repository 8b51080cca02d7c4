// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MMA_ARGUMENTS_HPP
#define TEGULA_OUTER_MMA_ARGUMENTS_HPP

#include <bit>

#include "../Tegula_StridedArguments.hpp"
#include "../outer/Tegula_OuterArguments.hpp"
#include "Tegula_OuterMmaConfig.hpp"
#include "Tegula_OuterMmaSpan.hpp"

namespace Tegula::Impl {

struct OuterMmaHow {
  std::uint8_t rows_log2;  // of a tile
  bool laps : 1;           // a tile is of outer_lapping_columns
  bool shifts : 1;         // rows do not begin where sectors do
};

/// Arguments of the kernels of the outer_mma family. Rows of C are contiguous.
using OuterMmaArguments = StridedArguments<std::uint16_t, OuterMmaHow>;

/// Whether all rows of such a C begin where a sector of memory does.
inline bool begins_with_sectors(const ProductCall<std::uint16_t>& call) {
  return reinterpret_cast<std::uintptr_t>(call.C.data) % sector_bytes == 0 && call.C.row_stride * 2 % sector_bytes == 0;
}

/// Whether a call has no more to its epilogue than the kernels do: alpha = 1, beta = 0, no Z, Identity or Relu.
inline bool has_plain_epilogue(const ProductCall<std::uint16_t>& call) {
  return strided_arguments<OuterMmaHow>(call, {}).is_plain;
}

inline OuterMmaArguments outer_mma_arguments(const ProductCall<std::uint16_t>& product, const GemmShape& shape,
                                             const TileShape& tile) {
  const auto call = with_contiguous_rows(product);
  auto arguments  = strided_arguments<OuterMmaHow>(call, product.C.is_column_major() ? shape.transposed() : shape);
  arguments.how   = {static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(tile.m))),
                     tile.n == outer_lapping_columns, !begins_with_sectors(call)};
  return arguments;
}

}  // namespace Tegula::Impl

#endif
