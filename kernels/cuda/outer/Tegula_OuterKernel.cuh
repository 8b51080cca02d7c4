// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_KERNEL_CUH
#define TEGULA_OUTER_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_OuterStore.cuh"

/// The kernel of the outer family: a team computes one tile. Both operands are read once, all of it on its way before
/// anybody waits: what a lane has of the right one stays in its registers, and the rows of the left one come to
/// scratch, where a warp reads two at a time. So next to the time of storing there is hardly any.

namespace Tegula::Impl {

template <class Config, class Input>
struct OuterKernel : OuterArguments<bits_t<Input>> {
  using Bits      = bits_t<Input>;
  using Sum       = sum_t<Bits>;
  using Arguments = OuterArguments<Bits>;
  using Columns   = OuterColumns<Bits>;
  using teams     = CudaTeams<outer_threads, Config::teams, outer_scratch<Config, Sum>()>;
  using member    = typename teams::member;

  static constexpr int used_bytes = outer_used<Config, Sum>();

  explicit OuterKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    Sum* const scratch =
        static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(used_bytes), int(outer_alignment)));
    const int thread = team.team_rank(), warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0), lane = thread % 32;
    const int tile_row     = this->tile_columns == 1 ? team.league_rank() : team.league_rank() / this->tile_columns;
    const std::int32_t row = tile_row * (outer_warps << this->warp_rows_log2);
    const Columns columns((team.league_rank() - tile_row * this->tile_columns) * outer_columns, lane);

    const Held held(*this, columns);
    bring_left(row, thread, scratch);
    __syncthreads();
    const int first = warp << this->warp_rows_log2;
    if (this->stores_runs) {
      this->is_relu ? multiply<OuterRuns<Input, true>>(held, columns, row, first, scratch)
                    : multiply<OuterRuns<Input, false>>(held, columns, row, first, scratch);
    } else {
      multiply<OuterElements<Bits>>(held, columns, row, first, scratch);
    }
  }

 private:
  static constexpr int lane_columns = outer_lane_columns, pitch = Config::pitch, at_once = outer_rows_at_once;
  static_assert(outer_rows.front() / outer_warps % at_once == 0, "rows beyond the last one are in scratch, too");

  // What a lane has of the right operand. Columns beyond the last one repeat it; their sums are not stored.
  struct Held {
    Sum of[Config::depth][lane_columns];

    __device__ Held(const Arguments& p, const Columns& columns) {
      const Bits* from[lane_columns];
#pragma unroll
      for (int c = 0; c < lane_columns; ++c) {
        const std::uint32_t last = p.n - 1, column = min(columns.of(c), last);
        from[c] = p.right + column * p.right_line;
      }
      Bits bits[Config::depth][lane_columns];
#pragma unroll
      for (int step = 0; step < Config::depth; ++step)
#pragma unroll
        for (int c = 0; c < lane_columns; ++c)
          bits[step][c] = step < p.depth ? __ldg(from[c] + step * p.right_depth) : Bits(0);
#pragma unroll
      for (int step = 0; step < Config::depth; ++step)
#pragma unroll
        for (int c = 0; c < lane_columns; ++c) of[step][c] = widened<Input>(bits[step][c]);
    }
  };

  // Brings the rows of the left operand, zeros behind their depth, and for each what a bias adds to all of its sums.
  __device__ void bring_left(std::int32_t row, int thread, Sum* scratch) const {
    const int rows_log2 = this->warp_rows_log2 + 2, rows = 1 << rows_log2;
    static_assert(outer_warps == 1 << 2);
    const int inside       = this->m - row;
    const bool along_lines = this->left_line == 1;  // as threads go from element to element
#pragma unroll 4
    for (int at = thread; at < rows * Config::depth; at += outer_threads) {
      const int line = along_lines ? at & (rows - 1) : at / Config::depth;
      const int step = along_lines ? at >> rows_log2 : at % Config::depth;
      Bits bits      = 0;
      if (line < inside && step < this->depth)
        bits = __ldg(this->left + (std::int64_t(row) + line) * this->left_line + step * this->left_depth);
      scratch[line * pitch + step] = widened<Input>(bits);
    }
    if (thread >= rows) return;
    Sum bias = 0;
    if (this->bias != nullptr && this->has_bias_of_rows && thread < inside)
      bias = OuterElements<Bits>::bias(*this, std::int64_t(row) + thread);
    scratch[outer_most_rows * pitch + thread] = bias;
  }

  // Rows `first` and behind it of the tile, two at a time: while one waits for scratch, the other multiplies.
  template <class Store>
  __device__ void multiply(const Held& held, const Columns& columns, std::int32_t row, int first,
                           const Sum* scratch) const {
    Store store(*this, columns, row + std::int64_t(first));
    const Sum* left       = scratch + first * pitch;
    const Sum* const bias = scratch + outer_most_rows * pitch;
    const bool has_bias   = this->bias != nullptr && this->has_bias_of_rows;
    const int end         = min(first + (1 << this->warp_rows_log2), this->m - row);
#pragma unroll 1
    for (int r = first; r < end; r += at_once, left += at_once * pitch) {
      const int rows_left = end - r;
      const auto asked    = store.ask(rows_left);
      Sum bias_of_row[at_once];
      Sum sums[at_once][lane_columns];
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        bias_of_row[i] = has_bias ? bias[r + i] : Sum(0);
#pragma unroll
        for (int c = 0; c < lane_columns; ++c) sums[i][c] = store.first(c, bias_of_row[i]);
      }
#pragma unroll
      for (int step = 0; step < Config::depth; step += 4) {
        if (step >= this->depth) break;
        add_products(held, step, left, sums);
      }
      store.store(rows_left, sums, bias_of_row, asked);
    }
  }

  // Of four steps of depth.
  __device__ static void add_products(const Held& held, int step, const Sum* left, Sum (&sums)[at_once][lane_columns]) {
    Four four[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) four[i] = *reinterpret_cast<const Four*>(left + i * pitch + step);
#pragma unroll
    for (int s = 0; s < 4; ++s)
#pragma unroll
      for (int i = 0; i < at_once; ++i)
#pragma unroll
        for (int c = 0; c < lane_columns; ++c) sums[i][c] = ::fma(four[i].of[s], held.of[step + s][c], sums[i][c]);
  }

  struct alignas(16) Four {
    Sum of[4];
  };
};

}  // namespace Tegula::Impl

#endif
