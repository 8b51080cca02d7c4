// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_OUTPUT_HPP
#define TEGULA_CUDA_OUTPUT_HPP

#include "Tegula_CudaCall.hpp"
#include "Tegula_TmaMatrix.hpp"

/// How results of 16 bits or float go to memory.

namespace Tegula::Impl {

/// rows, columns: in runs of 16 bytes along the contiguous direction. unaligned_rows, unaligned_columns: neighbouring
/// threads store neighbours in that direction, wherever runs begin. pairs: every thread stores two neighbours of a row
/// at once. threads: every thread stores its elements one by one. nobody: there is no such result.
enum class StoreBy : std::uint8_t { nobody, rows, columns, unaligned_rows, unaligned_columns, pairs, threads };

struct CudaOutput {
  AnyMatrix matrix;
  StoreBy by = StoreBy::nobody;

  TEGULA_HOST_DEVICE bool is_by_runs() const { return by == StoreBy::rows || by == StoreBy::columns; }
  /// Whether it gets to its lines by way of scratch. Larger elements of a column, which 8 lanes have, are whole
  /// sectors.
  TEGULA_HOST_DEVICE bool goes_by_scratch() const {
    return by == StoreBy::unaligned_rows || (by == StoreBy::unaligned_columns && element_bytes(matrix.element) == 2);
  }
};

/// Who stores runs of 16 bytes. Threads store what is left of a ragged end element by element, and floats, which are
/// sectors of memory as a warp has them, in pairs. TMA stores 16 bytes at a time, even past the end of a run, so that
/// it stores no result with ragged ends.
enum class RunsBy { threads, tma };

/// `shape` is that of the product.
inline CudaOutput cuda_output(const AnyMatrix& matrix, const GemmShape& shape, RunsBy runs_by) {
  if (matrix.data == nullptr) return {matrix, StoreBy::nobody};
  const std::int64_t bytes = element_bytes(matrix.element);
  const auto runs          = tma_matrix(matrix.data, shape.m, shape.n, matrix.row_stride, matrix.column_stride, bytes);
  const bool is_taken = runs_by == RunsBy::threads ? bytes == 2 : bytes <= 4 && runs && runs->fast * bytes % 16 == 0;
  if (runs && is_taken) return {matrix, runs->major == Major::depth ? StoreBy::rows : StoreBy::columns};
  // Pairs of 16 bits would be halves of sectors of memory.
  if (element_bytes(matrix.element) > 2 && may_store_pairs(matrix)) return {matrix, StoreBy::pairs};
  if (matrix.column_stride == 1) return {matrix, StoreBy::unaligned_rows};
  return {matrix, matrix.row_stride == 1 ? StoreBy::unaligned_columns : StoreBy::threads};
}

/// How TMA fetches a matrix of the shape of a result: by runs, or not at all.
inline CudaOutput fetched_by_tma(const AnyMatrix& matrix, const GemmShape& shape) {
  if (matrix.data == nullptr) return {matrix, StoreBy::nobody};
  const auto runs =
      tma_matrix(matrix.data, shape.m, shape.n, matrix.row_stride, matrix.column_stride, element_bytes(matrix.element));
  if (!runs) return {matrix, StoreBy::nobody};
  return {matrix, runs->major == Major::depth ? StoreBy::rows : StoreBy::columns};
}

}  // namespace Tegula::Impl

#endif
