// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_BLOCK_CUH
#define TEGULA_WGMMA_BLOCK_CUH

#include "../Tegula_CudaPairs.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "../ptx/Tegula_PtxShared.cuh"

/// Blocks of 64 x 64 results, and how they lie in shared memory for TMA.

namespace Tegula::Impl {

/// A thread's part of a block that a warpgroup has in registers, as Wgmma lays its sums out: a warp has 16 rows, a
/// thread pairs of neighbours of two of them.
///
/// TMA stores and fetches boxes of 64 lines of 128 bytes with the swizzle of that width. Lines are rows or columns of
/// the block. With 16 bits a block is one box; of floats it is two, of which each has a half of every line. What a warp
/// reads of a box, and what it writes to one with lines in the same direction, are the same elements: results take the
/// place of what was fetched.
template <class Input>
class WgmmaBlock {
 public:
  static constexpr int values = 32, half = values / 2;  // in columns 0 to 31 and 32 to 63

  __device__ explicit WgmmaBlock(int thread)
      : row_(thread / 32 * 16 + thread % 32 / 4), pair_(thread % 4), warp_(thread / 32), lane_(thread % 32) {}

  /// Calls function(row in the block, column in the block, value) for every value that this thread has.
  template <class Function>
  __device__ void for_each(float (&v)[values], const Function& function) const {
#pragma unroll
    for (int e = 0; e < values; ++e) function(row_of(e), column_of(e), v[e]);
  }

  /// The same for neighbours in a row: function(row, column of the first, first, second).
  template <class Function>
  __device__ void for_each_pair(const float (&v)[values], const Function& function) const {
#pragma unroll
    for (int e = 0; e < values; e += 2) function(row_of(e), column_of(e), v[e], v[e + 1]);
  }

  /// Reads what this thread's columns have of a row, and its rows of a column.
  static constexpr int columns = 16, rows = 2;
  __device__ void read_row(const float* row, float (&of)[columns]) const {
#pragma unroll
    for (int c = 0; c < columns; c += 2) {
      const auto pair = *reinterpret_cast<const float2*>(row + column_of(2 * c));
      of[c] = pair.x, of[c + 1] = pair.y;
    }
  }
  __device__ void read_column(const float* column, float (&of)[columns]) const {
#pragma unroll
    for (int r = 0; r < rows; ++r) of[r] = column[row_of(2 * r)];
  }
  /// Which of them a value has.
  __device__ static constexpr int column_number(int e) { return e / 4 * 2 + e % 2; }
  __device__ static constexpr int row_number(int e) { return e % 4 / 2; }

  /// Writes values, rounded, with or without relu, to a box.
  template <bool relu, bool by_columns>
  __device__ void put(std::uint32_t box, const float (&v)[values]) const {
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      const float* of                 = v + 8 * p;
      const std::uint32_t fragments[] = {rounded<relu>(Input(), of[0], of[1]), rounded<relu>(Input(), of[2], of[3]),
                                         rounded<relu>(Input(), of[4], of[5]), rounded<relu>(Input(), of[6], of[7])};
      if constexpr (by_columns) {
        ptx::store_matrices_transposed(box + matrix_at<true>(p), fragments);
      } else {
        ptx::store_matrices(box + matrix_at<false>(p), fragments);
      }
    }
  }

  /// The same for floats and their two boxes.
  template <bool by_columns>
  __device__ void put_floats(std::uint32_t first, std::uint32_t second, const float (&v)[values]) const {
#pragma unroll
    for (int e = 0; e < values; e += 2) {
      if constexpr (by_columns) {
        ptx::store_element(in_column(first, second, e), v[e]);
        ptx::store_element(in_column(first, second, e + 1), v[e + 1]);
      } else {
        ptx::store_pair(in_row(first, second, e), v[e], v[e + 1]);
      }
    }
  }

  /// Reads what belongs to half a thread's values, from value `from` on, of a box. Pairs of them may be replaced before
  /// they are told apart.
  template <bool by_columns, class Replace>
  __device__ void get(std::uint32_t box, int from, float (&other)[half], const Replace& replaced) const {
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      std::uint32_t fragments[4];
      if constexpr (by_columns) {
        ptx::load_matrices_transposed(box + matrix_at<true>(from / 8 + p), fragments);
      } else {
        ptx::load_matrices(box + matrix_at<false>(from / 8 + p), fragments);
      }
#pragma unroll
      for (int f = 0; f < 4; ++f) {
        const std::uint32_t pair = replaced(fragments[f]);
        other[8 * p + 2 * f]     = from_bits(element_of<Input>, pair & 0xFFFF);
        other[8 * p + 2 * f + 1] = from_bits(element_of<Input>, pair >> 16);
      }
    }
  }

  /// The same of floats.
  template <bool by_columns>
  __device__ void get_floats(std::uint32_t first, std::uint32_t second, int from, float (&other)[half]) const {
#pragma unroll
    for (int e = 0; e < half; e += 2) {
      if constexpr (by_columns) {
        ptx::load_element(in_column(first, second, from + e), other[e]);
        ptx::load_element(in_column(first, second, from + e + 1), other[e + 1]);
      } else {
        float pair[2];
        ptx::load_vector(in_row(first, second, from + e), pair);
        other[e]     = pair[0];
        other[e + 1] = pair[1];
      }
    }
  }

  /// Adds the values of each column in those of the warp's 16 rows that are among the first `rows` of the block; others
  /// become 0. function(column, sum, next): the sums of this column and its neighbour, which this thread has got.
  template <class Function>
  __device__ void sum_columns(float (&v)[values], std::int32_t rows, const Function& function) const {
    if (rows < 64) for_each(v, [&](int i, int, float& value) { value = i < rows ? value : 0; });
    float sums[half];
#pragma unroll
    for (int s = 0; s < half; ++s) sums[s] = v[s / 2 * 4 + s % 2] + v[s / 2 * 4 + s % 2 + 2];
    add_lanes<half>(sums);
    function(2 * lane_, sums[0], sums[1]);
  }

 private:
  __device__ int row_of(int e) const { return row_ + (e % 4 >= 2 ? 8 : 0); }
  __device__ int column_of(int e) const { return 2 * pair_ + e / 4 * 8 + e % 2; }

  // Where in a box this lane's row of four matrices side by side is, the `p`th four. Among them bit 0 chooses between
  // rows 0 to 7 and 8 to 15, bit 1 between columns.
  template <bool by_columns>
  __device__ int matrix_at(int p) const {
    const int lane_row = lane_ % 8, low = lane_ / 8 % 2, high = lane_ / 16;
    const int line   = by_columns ? (2 * p + high) * 8 + lane_row : warp_ * 16 + low * 8 + lane_row;
    const int eighth = by_columns ? 2 * warp_ + low : 2 * p + high;
    return line * 128 + ((eighth ^ lane_row) << 4);
  }

  // Where the float of value e is, whose line is a row, or a column. Of the swizzle, e changes few bits: a thread has
  // four addresses, and the rest are constants.
  __device__ std::uint32_t in_row(std::uint32_t first, std::uint32_t second, int e) const {
    const int swizzled = (pair_ / 2 ^ row_ % 8 ^ e / 4 % 4 * 2) << 4;
    return (e < half ? first : second) + row_ * 128 + pair_ % 2 * 8 + swizzled + (e % 4 >= 2 ? 8 * 128 : 0);
  }
  __device__ std::uint32_t in_column(std::uint32_t first, std::uint32_t second, int e) const {
    const int swizzled = (row_ % 32 / 4 ^ pair_ * 2 ^ (e % 4 >= 2 ? 2 : 0) ^ e % 2) << 4;
    return (warp_ < 2 ? first : second) + pair_ * 256 + row_ % 4 * 4 + swizzled + e / 4 * 1024 + e % 2 * 128;
  }

  // sums += those of the 8 lanes with the same columns, of which each keeps two in the end.
  template <int Count>
  __device__ void add_lanes(float (&sums)[half]) const {
    if constexpr (Count > 2) {
      constexpr int kept = Count / 2, lanes = kept * 2;  // 16, 8, 4
      const bool keeps_upper = (lane_ & lanes) != 0;
#pragma unroll
      for (int s = 0; s < kept; ++s) {
        const float given = keeps_upper ? sums[s] : sums[s + kept], own = keeps_upper ? sums[s + kept] : sums[s];
        sums[s] = own + __shfl_xor_sync(0xFFFFFFFFu, given, lanes);
      }
      add_lanes<kept>(sums);
    }
  }

  int row_, pair_, warp_, lane_;
};

}  // namespace Tegula::Impl

#endif
