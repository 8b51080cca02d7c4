// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_TILE_CUH
#define TEGULA_STREAM_TILE_CUH

#include "../Tegula_LaneStride.hpp"
#include "Tegula_StreamConfig.hpp"
#include "Tegula_StreamMatrix.hpp"

namespace Tegula::Impl {

/// A tile of a long matrix, as the chunks of 16 bytes that its lanes copy between memory and scratch.
template <class Config, bool is_packed>
class StreamTile {
  static constexpr int block = Config::block;

 public:
  /// It begins with this line, and the matrix has so many from there on.
  __device__ StreamTile(const StreamedMatrix& matrix, std::int64_t first, std::int64_t left)
      : matrix_(matrix), first_(first), lines_(left < Config::lines ? static_cast<int>(left) : Config::lines) {}

  /// Calls visit(chunk, at, begin, end) for every chunk of this lane: its number in scratch, the element of the matrix
  /// that it would begin with, counted from the first one, and which of its elements are of the tile. What is around
  /// them in these 16 bytes of memory may be read.
  template <class Visit>
  __device__ void for_each_chunk(int lane, const Visit& visit) const {
    if constexpr (is_packed) {
      along_lines(lane, visit);
    } else {
      along_columns(lane, visit);
    }
  }

 private:
  template <class Visit>
  __device__ void along_lines(int lane, const Visit& visit) const {
    constexpr int turn = LaneStride::lanes * block;
    int chunk = lane, begin = matrix_.first_off - lane * block;
    std::int64_t at = first_ * matrix_.columns - begin;
#pragma unroll 1
    for (int end = begin + lines_ * matrix_.columns; end > 0; end -= turn) {
      visit(chunk, at, begin, end);
      chunk += LaneStride::lanes, at += turn, begin -= turn;
    }
  }

  template <class Visit>
  __device__ void along_columns(int lane, const Visit& visit) const {
    constexpr LaneStride stride(Config::pitch / block);
    int column = stride.first_row(lane), chunk = lane - column * stride.width();
#pragma unroll 1
    while (column < matrix_.columns) {
      const std::int64_t begin = column * matrix_.run;
      const int off            = (matrix_.first_off + static_cast<int>(begin)) & (block - 1);
      const int element        = chunk * block;
      if (element < off + lines_)
        visit(column * stride.width() + chunk, begin + first_ + element - off, off - element, off + lines_ - element);
      column += stride.rows();
      chunk += stride.columns();
      if (chunk < stride.width()) continue;
      chunk -= stride.width();
      ++column;
    }
  }

  const StreamedMatrix& matrix_;
  std::int64_t first_;
  int lines_;
};

}  // namespace Tegula::Impl

#endif
