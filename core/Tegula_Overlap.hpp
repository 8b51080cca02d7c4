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
};

/// The bytes [begin, end) between the first and the last element of a matrix. Where they are too many to be counted,
/// all.
struct ByteRange {
  std::int64_t begin = 0, end = 0;

  bool meets(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};
ByteRange byte_range(const StridedBytes& matrix);

/// Whether two elements of a matrix share a byte. Exact.
bool overlaps_itself(const StridedBytes& matrix);

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
