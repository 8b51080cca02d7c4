// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_OUTPUT_HPP
#define TEGULA_CUDA_OUTPUT_HPP

#include "Tegula_CudaCall.hpp"
#include "Tegula_TmaMatrix.hpp"

/// How results of 16 bits or float go to memory.

namespace Tegula::Impl {

/// rows, columns: in runs of 16 bytes along the contiguous direction. pairs: every thread stores two neighbours of a
/// row at once. threads: every thread stores its elements one by one. nobody: there is no such result.
enum class StoreBy : std::uint8_t { nobody, rows, columns, pairs, threads };

struct CudaOutput {
  AnyMatrix matrix;
  StoreBy by = StoreBy::nobody;

  TEGULA_HOST_DEVICE bool is_by_runs() const { return by == StoreBy::rows || by == StoreBy::columns; }
};

/// `shape` is that of the product. Runs may end within 16 bytes only if `takes_ragged_ends`.
inline CudaOutput cuda_output(const AnyMatrix& matrix, const GemmShape& shape, bool takes_ragged_ends) {
  if (matrix.data == nullptr) return {matrix, StoreBy::nobody};
  const auto runs =
      tma_matrix(matrix.data, shape.m, shape.n, matrix.row_stride, matrix.column_stride, element_bytes(matrix.element));
  if (element_bytes(matrix.element) == 2 && runs && (takes_ragged_ends || runs->fast % 8 == 0))
    return {matrix, runs->major == Major::depth ? StoreBy::rows : StoreBy::columns};
  return {matrix, may_store_pairs(matrix) ? StoreBy::pairs : StoreBy::threads};
}

}  // namespace Tegula::Impl

#endif
