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

  /// Calls part(chunk, at, begin, end) for every chunk of this lane: its number in scratch, the element of the matrix
  /// that it would begin with, counted from the first one, and which of its elements are of the tile. What is around
  /// them in these 16 bytes of memory may be read.
  template <class Part>
  __device__ void for_each_part(int lane, const Part& part) const {
    if constexpr (is_packed) {
      for_turns(lane, 0, 0, part);
    } else {
      along_columns(lane, part);
    }
  }

  /// The same, but whole(chunk, at), which takes few instructions, for most chunks that are of the tile as a whole.
  template <class Whole, class Part>
  __device__ void for_each_chunk(int lane, const Whole& whole, const Part& part) const {
    if constexpr (is_packed) {
      const int begin = matrix_.first_off > 0 ? 1 : 0, end = elements() / turn;
      for_whole_turns(lane, begin, end, whole);
      for_turns(lane, begin == 1 ? 0 : end, end, part);
    } else {
      has_whole_columns() ? along_whole_columns(lane, whole) : along_columns(lane, part);
    }
  }

 private:
  static constexpr int lanes = LaneStride::lanes;
  static constexpr int turn  = lanes * block;  // elements of as many chunks as there are lanes, which take one each

  // Of rows without gaps, from the beginning of the first chunk on: how many, and the first one.
  __device__ int elements() const { return matrix_.first_off + lines_ * matrix_.columns; }
  __device__ std::int64_t first_element() const { return first_ * matrix_.columns - matrix_.first_off; }

  template <class Whole>
  __device__ void for_whole_turns(int lane, int begin, int end, const Whole& whole) const {
    int chunk       = begin * lanes + lane;
    std::int64_t at = first_element() + chunk * block;
    // Code that runs a few times costs more than it saves.
    constexpr int unrolled = Config::lines * Config::width > 4 * turn ? 4 : 1;
#pragma unroll unrolled
    for (int t = begin; t < end; ++t) {
      whole(chunk, at);
      chunk += lanes, at += turn;
    }
  }

  // From `begin` on, but not those up to `whole` behind the first.
  template <class Part>
  __device__ void for_turns(int lane, int begin, int whole, const Part& part) const {
    const int all = elements();
#pragma unroll 1
    for (int t = begin; t * turn < all; t = t + 1 < whole ? whole : t + 1) {
      const int chunk = t * lanes + lane, first = chunk * block;
      if (first < all) part(chunk, first_element() + first, matrix_.first_off - first, all - first);
    }
  }

  __device__ bool has_whole_columns() const { return lines_ == Config::lines && matrix_.has_runs_of(block); }

  template <class Whole>
  __device__ void along_whole_columns(int lane, const Whole& whole) const {
    constexpr int of_column = Config::lines / block, at_once = lanes / of_column, apart = Config::pitch / block;
    static_assert(lanes % of_column == 0);
    int column = lane / of_column, chunk = column * apart + lane % of_column;
    std::int64_t at = column * matrix_.run + first_ + lane % of_column * block;
#pragma unroll 4
    for (; column < matrix_.columns; column += at_once) {
      whole(chunk, at);
      chunk += at_once * apart, at += at_once * matrix_.run;
    }
  }

  template <class Part>
  __device__ void along_columns(int lane, const Part& part) const {
    constexpr LaneStride stride(Config::pitch / block);
    int column = stride.first_row(lane), chunk = lane - column * stride.width();
#pragma unroll 1
    while (column < matrix_.columns) {
      const std::int64_t begin = column * matrix_.run;
      const int off            = (matrix_.first_off + static_cast<int>(begin)) & (block - 1);
      const int element        = chunk * block;
      if (element < off + lines_)
        part(column * stride.width() + chunk, begin + first_ + element - off, off - element, off + lines_ - element);
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
