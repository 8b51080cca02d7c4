// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OVERLAP_HPP
#define TEGULA_OVERLAP_HPP

#include <cstdint>

/// Whether strided matrices share memory. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// The memory of a matrix: element (i, j) is the `bytes` bytes from begin + (i stride[0] + j stride[1]) bytes on.
/// Strides are not negative.
struct StridedBytes {
  std::int64_t begin, bytes;
  std::int64_t extent[2], stride[2];

  bool is_empty() const { return extent[0] == 0 || extent[1] == 0; }

  /// Whether it spans fewer than 2^60 bytes because all factors are short.
  bool has_short_factors() const {
    constexpr int bits = 27, byte_bits = 4;
    return (((extent[0] | extent[1] | stride[0] | stride[1]) >> bits) | (bytes >> byte_bits)) == 0;
  }

  /// Bytes from the beginning of the first element to that of the last. The matrix is not empty.
  std::int64_t span() const { return ((extent[0] - 1) * stride[0] + (extent[1] - 1) * stride[1]) * bytes; }
};

/// The bytes [begin, end) between the first and the last element of a matrix. Where they are too many to be counted,
/// all. An empty matrix has none, or any.
struct ByteRange {
  std::int64_t begin, end;

  bool meets(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};
ByteRange byte_range_of_any(const StridedBytes& matrix);
inline ByteRange byte_range(const StridedBytes& matrix) {
  if (!matrix.has_short_factors()) return byte_range_of_any(matrix);
  return {matrix.begin, matrix.begin + matrix.span() + matrix.bytes};
}

/// Whether lines of contiguous elements end before the next one begins, as most often.
inline bool has_separate_lines(const StridedBytes& m) {
  return (m.stride[1] == 1 && m.extent[1] <= m.stride[0]) || (m.stride[0] == 1 && m.extent[0] <= m.stride[1]);
}

/// Whether two elements of a matrix share a byte. Exact.
bool shares_bytes(const StridedBytes& matrix);
inline bool overlaps_itself(const StridedBytes& matrix) { return !has_separate_lines(matrix) && shares_bytes(matrix); }

/// Whether a byte belongs to an element of both. Never false where there is such a byte.
///
/// Exact, by a number of operations that grows with the logarithm of extents and strides, if each matrix has contiguous
/// rows or columns, whatever their pitches, types and offsets are; if both have the same strides, in either order; and
/// if at most two axes are left of the four when those are joined that one progression of addresses holds, and those
/// dropped that leave no gap. So parts of one array are told apart: real and imaginary parts, every other row or
/// column, slices. Stride 0 and extent 1 are no axes.
/// Where more are left, all but two are tried step by step. That is exact, too, up to 4096 trials; where it would take
/// more, or matrices span more than 2^60 bytes, the answer is true.
bool may_overlap(const StridedBytes& first, const StridedBytes& second);

}  // namespace Tegula::Impl

#endif
