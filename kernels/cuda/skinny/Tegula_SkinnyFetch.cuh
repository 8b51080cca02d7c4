// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_FETCH_CUH
#define TEGULA_SKINNY_FETCH_CUH

#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_SkinnyLayout.hpp"

namespace Tegula::Impl {

/// A warp brings its tiles of the long operand to scratch, step after step and tile after tile; its tiles are `apart`
/// tiles apart. Elements outside the operand become zero.
template <class Config, StreamBy by>
class SkinnyFetch {
  using T      = typename Config::element;
  using Layout = SkinnyLayout<Config, by>;

 public:
  __device__ SkinnyFetch(const SkinnyArguments<T>& arguments, int tile, int apart, int lane)
      : p_(arguments),
        line_stride_(by == StreamBy::lines ? 1 : arguments.streamed.line_stride),
        depth_stride_(by == StreamBy::depth ? 1 : arguments.streamed.depth_stride),
        tile_(p_.steps > 0 ? tile : p_.tiles),
        apart_(apart),
        line_(Layout::line(lane)),
        depth_(Layout::depth(lane)),
        offset_(Layout::offset(line_, depth_)) {
    begin_tile();
  }

  /// Begins to copy the next step to a stage; does nothing beyond the last one.
  __device__ void operator()(std::uint32_t stage) {
    if (tile_ < p_.tiles) {
      copy(stage + offset_);
      from_ += std::int64_t(Config::tile_k) * depth_stride_;
      if (++step_ == p_.steps) {
        tile_ += apart_;
        begin_tile();
      }
    }
    ptx::commit_copies();
  }

 private:
  static constexpr int unit_bytes = Layout::unit * int(sizeof(T));

  __device__ void begin_tile() {
    step_ = 0;
    from_ = p_.streamed.data + (std::int64_t(tile_) * Config::tile_m + line_) * line_stride_ + depth_ * depth_stride_;
  }

  __device__ void copy(std::uint32_t to) const {
    const int lines_left = p_.streamed.lines - tile_ * Config::tile_m, depth_left = p_.depth - step_ * Config::tile_k;
    if (lines_left < Config::tile_m) {
      copy_ragged(to, lines_left - line_, depth_left - depth_);
    } else if (depth_left >= Config::tile_k) {
#pragma unroll
      for (int pass = 0; pass < Layout::passes; ++pass)
        ptx::copy_unit<unit_bytes>(to + offset_of(pass), from_ + distance(pass));
    } else {
      copy_shallow(to, depth_left - depth_);
    }
  }

  // All lines, but not the whole depth of a step, as in every tile of an operand with an odd one.
  __device__ void copy_shallow(std::uint32_t to, int depth_left) const {
    const int most = Layout::by_lines ? 1 : Layout::unit;
#pragma unroll
    for (int pass = 0; pass < Layout::passes; ++pass) {
      const int depth = depth_left - Layout::depth_of(pass), elements = depth < most ? depth : most;
      // What is beyond the depth is nobody's, and multiplied up to a whole vector.
      if (Layout::by_lines && depth <= -Config::block) break;
      ptx::copy_part_of_unit<unit_bytes>(to + offset_of(pass), elements > 0 ? from_ + distance(pass) : p_.streamed.data,
                                         elements <= 0      ? 0
                                         : Layout::by_lines ? unit_bytes
                                                            : elements * int(sizeof(T)));
    }
  }

  // The loop is not unrolled: it is rare.
  __device__ void copy_ragged(std::uint32_t to, int lines_left, int depth_left) const {
#pragma unroll 1
    for (int pass = 0; pass < Layout::passes; ++pass) {
      const int lines = lines_left - Layout::line_of(pass), depth = depth_left - Layout::depth_of(pass);
      const int along    = Layout::by_lines ? lines : depth;
      const int elements = lines <= 0 || depth <= 0 ? 0 : along < Layout::unit ? along : Layout::unit;
      ptx::copy_part_of_unit<unit_bytes>(to + offset_of(pass), elements > 0 ? from_ + distance(pass) : p_.streamed.data,
                                         elements * int(sizeof(T)));
    }
  }

  __device__ static constexpr int offset_of(int pass) {
    return Layout::offset(Layout::line_of(pass), Layout::depth_of(pass));
  }
  __device__ std::int64_t distance(int pass) const {
    return Layout::line_of(pass) * line_stride_ + Layout::depth_of(pass) * depth_stride_;
  }

  const SkinnyArguments<T>& p_;
  std::int64_t line_stride_, depth_stride_;
  const T* from_;  // the lane's first unit of the next step
  std::int32_t tile_, apart_, step_;
  int line_, depth_, offset_;
};

}  // namespace Tegula::Impl

#endif
