// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_KERNEL_CUH
#define TEGULA_OUTER_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "Tegula_OuterStore.cuh"

/// The kernel of the outer family: a team computes one tile. Both operands are read once, all of it, with the bias, on
/// its way before anybody waits: what a lane has of the right one stays in its registers, and the rows of the left one
/// come to scratch, where a warp reads two at a time. So next to the time of storing there is hardly any.

namespace Tegula::Impl {

template <class Config, class Input>
struct OuterKernel : OuterArguments<bits_t<Input>> {
  using begins_itself = void;

  using Bits      = bits_t<Input>;
  using Sum       = sum_t<Bits>;
  using Arguments = OuterArguments<Bits>;
  using Columns   = OuterColumns<Bits>;
  using Held      = OuterHeld<Config, Input>;
  using Bias      = OuterBias<Bits>;
  using teams     = CudaTeams<outer_threads, Config::teams, outer_scratch<Config, Sum>()>;
  using member    = typename teams::member;

  static constexpr int used_bytes = outer_used<Config, Sum>();

  explicit OuterKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    Sum* const scratch =
        static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(used_bytes), int(outer_alignment)));
    const int thread = team.team_rank(), warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    const auto [row, column] = origin(team.league_rank());
    const Columns columns(column, thread % 32);

    OuterRows<Config, Input> rows(*this, row, thread, scratch);
    const OuterRight<Bits> right(*this, columns);
    begin_in_order(team);
    const auto first_of_left = rows.ask();
    const Held held(*this, right);
    const Bias bias(*this, columns);
    rows.put(first_of_left);
#pragma unroll 1
    while (!rows.is_done()) rows.put(rows.ask());
    if (has_bias_of_rows(*this))
      bring_bias_of_rows(*this, row, outer_warps << this->how.warp_rows_log2, thread, scratch + bias_begin);

    const int first = warp << this->how.warp_rows_log2;
    if (this->is_plain && this->how.stores_runs) {
      this->is_relu ? multiply<OuterRuns<Input, true>>(held, columns, bias, row, first, scratch)
                    : multiply<OuterRuns<Input, false>>(held, columns, bias, row, first, scratch);
    } else {
      multiply<OuterElements<Input>>(held, columns, bias, row, first, scratch);
    }
  }

 private:
  static constexpr int lane_columns = outer_lane_columns, pitch = Config::pitch, at_once = outer_rows_at_once,
                       bias_begin = outer_most_rows * pitch;
  static_assert(outer_rows.front() / outer_warps % at_once == 0, "rows beyond the last one are in scratch, too");

  struct Origin {
    std::int32_t row;
    std::uint32_t column;
  };

  // Of a tile; those of a row of tiles follow each other.
  __device__ Origin origin(int tile) const {
    const auto n           = static_cast<std::uint32_t>(this->n);
    const int tile_columns = static_cast<int>((n + (outer_columns - 1u)) / outer_columns);
    const int tile_row     = tile_columns == 1 ? tile : tile / tile_columns;
    return {tile_row * (outer_warps << this->how.warp_rows_log2),
            static_cast<std::uint32_t>(tile - tile_row * tile_columns) * outer_columns};
  }

  // Rows `first` and behind it of the tile, two at a time: while one waits for scratch, the other multiplies. Scratch
  // is complete when all threads of the team have come here.
  template <class Store>
  __device__ void multiply(const Held& held, const Columns& columns, const Bias& bias, std::int32_t row, int first,
                           const Sum* scratch) const {
    const int end = min(first + (1 << this->how.warp_rows_log2), this->m - row);
    Store store(*this, columns, row + std::int64_t(first));
    auto asked = store.ask(0, end - first);
    __syncthreads();
    Sum bias_of_column[lane_columns];
#pragma unroll
    for (int c = 0; c < lane_columns; ++c) bias_of_column[c] = bias.of(c);
    const Sum* left     = scratch + first * pitch;
    const bool has_bias = has_bias_of_rows(*this);
#pragma unroll 1
    for (int r = first; r < end; r += at_once, left += at_once * pitch) {
      const int rows_left = end - r;
      const auto arrived  = asked;
      asked               = store.ask(at_once, rows_left - at_once);
      Sum added[at_once][lane_columns], sums[at_once][lane_columns];
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const Sum bias_of_row = has_bias ? scratch[bias_begin + r + i] : Sum(0);
#pragma unroll
        for (int c = 0; c < lane_columns; ++c) {
          added[i][c] = bias_of_column[c] + bias_of_row;
          sums[i][c]  = Store::begins_with_bias ? added[i][c] : Sum(0);
        }
      }
#pragma unroll
      for (int step = 0; step < Config::depth; step += 4) {
        if (step >= this->depth) break;
        add_products(held, step, left, sums);
      }
      store.store(rows_left, sums, added, arrived);
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
