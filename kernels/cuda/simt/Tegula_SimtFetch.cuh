// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_FETCH_CUH
#define TEGULA_SIMT_FETCH_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_SimtPasses.hpp"

/// The threads of a team bring tiles of an operand to scratch, one tile for each step of depth. A row of scratch holds
/// all lines of one step of depth, whatever the operand's directions, so that one loop multiplies all operands.
/// AsyncFetch cannot do that: it leaves the direction of an operand to those who read its tiles. ldmatrix and the lanes
/// of an mma can transpose a tile, the vectors of a thread cannot. Elements outside the operand become zero.

namespace Tegula::Impl {

/// Where a tile begins, and where the team's part of the inner dimension ends.
struct SimtOrigin {
  std::int32_t line, depth, depth_end;
};

/// Copies, and does not wait. Registers are scarce where this is used: values that all threads share stay in the
/// kernel's arguments, and what only ragged tiles need is computed anew.
template <FetchBy by, class T, int Lines, int Depth, int Threads>
class SimtFetch {
  using Passes = SimtPasses<by, T, Lines, Depth, Threads>;
  using Tile   = SimtTile<T, Lines, Depth>;

 public:
  __device__ SimtFetch(const SimtOperand<T>& operand, const SimtOrigin& origin, int thread)
      : operand_(operand),
        line_stride_(by == FetchBy::chunks ? 1 : ptx::kept(operand.line_stride)),
        depth_stride_(by == FetchBy::depth ? 1 : ptx::kept(operand.depth_stride)),
        from_(operand.data + std::int64_t(origin.line + Passes::first_line(thread)) * line_stride_ +
              std::int64_t(origin.depth + Passes::first_depth(thread)) * depth_stride_),
        offset_(Tile::offset(Passes::first_line(thread), Passes::first_depth(thread))) {}

  /// Steps whose tile lies within the operand.
  static __device__ int whole_steps(const SimtOperand<T>& operand, const SimtOrigin& origin) {
    return origin.line + Lines <= operand.lines ? steps_inside(origin) : 0;
  }

  /// Steps whose tile ends anywhere along the lines, but between two units, and lies within the depth.
  static __device__ int filled_steps(const SimtOperand<T>& operand, const SimtOrigin& origin) {
    return operand.lines % Passes::elements == 0 ? steps_inside(origin) : 0;
  }

  /// Fetches one of several parts of the next tile, which is whole.
  __device__ void copy(std::uint32_t tile, int part, int parts) const {
#pragma unroll
    for (int pass = 0; pass < Passes::count; ++pass)
      if (pass * parts / Passes::count == part) ptx::copy_unit<unit_bytes>(to(tile, pass), from(pass));
  }

  /// The same of the lines within the operand. What scratch holds for the others stays: no result comes of their sums.
  __device__ void copy_lines_inside(std::uint32_t tile, int part, int parts, const SimtOrigin& origin,
                                    int thread) const {
    const int lines_left = operand_.lines - origin.line - Passes::first_line(thread);
#pragma unroll
    for (int pass = 0; pass < Passes::count; ++pass)
      if (pass * parts / Passes::count == part && Passes::line(pass) < lines_left)
        ptx::copy_unit<unit_bytes>(to(tile, pass), from(pass));
  }

  /// Fetches a part of the next tile, that of step `step`, which may lie outside. The loop is not unrolled: this is
  /// rare.
  __device__ void copy_ragged(std::uint32_t tile, const SimtOrigin& origin, int step, int thread) const {
    const int lines_left = operand_.lines - origin.line - Passes::first_line(thread);
    const int depth_left = origin.depth_end - origin.depth - step * Depth - Passes::first_depth(thread);
#pragma unroll 1
    for (int pass = 0; pass < Passes::count; ++pass) {
      const int left     = Passes::depth(pass) < depth_left ? lines_left - Passes::line(pass) : 0;
      const int elements = left < 0 ? 0 : left < Passes::elements ? left : Passes::elements;
      ptx::copy_part_of_unit<unit_bytes>(to(tile, pass), from(pass), elements * int(sizeof(T)));
    }
  }

  /// Moves on to the tile behind it.
  __device__ void go_on() { from_ += std::int64_t(Depth) * depth_stride_; }

 private:
  static constexpr int unit_bytes = Passes::elements * sizeof(T);

  static __device__ int steps_inside(const SimtOrigin& origin) { return (origin.depth_end - origin.depth) / Depth; }

  __device__ std::uint32_t to(std::uint32_t tile, int pass) const {
    return tile + offset_ + Tile::offset(Passes::line(pass), Passes::depth(pass));
  }
  __device__ const T* from(int pass) const {
    return from_ + std::int64_t(Passes::line(pass)) * line_stride_ + std::int64_t(Passes::depth(pass)) * depth_stride_;
  }

  const SimtOperand<T>& operand_;
  std::int32_t line_stride_, depth_stride_;
  const T* from_;  // the thread's first element of the next tile
  std::uint32_t offset_;
};

}  // namespace Tegula::Impl

#endif
