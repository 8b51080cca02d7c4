// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_MMA_KERNEL_CUH
#define TEGULA_OUTER_MMA_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../Tegula_ResultElement.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "Tegula_OuterMmaPanel.cuh"
#include "Tegula_OuterMmaStore.cuh"

/// The kernel of the outer_mma family: a team computes one tile. All that it reads is asked for before anybody waits,
/// and comes to scratch, the columns in such an order that a lane's sums, which are pairs of columns of four blocks of
/// 8, are neighbours. So next to the time of storing there is hardly any.

namespace Tegula::Impl {

template <class Config, class Input>
struct OuterMmaKernel : OuterMmaArguments {
  using begins_itself = void;
  using teams         = CudaTeams<outer_mma_threads, Config::teams, outer_mma_scratch<Config>()>;
  using member        = typename teams::member;

  static constexpr int used_bytes = outer_mma_used<Config>();

  explicit OuterMmaKernel(const OuterMmaArguments& arguments) : OuterMmaArguments(arguments) {}

  __device__ void operator()(const member& team) const {
    char* const scratch = static_cast<char*>(team.team_scratch(0).get_shmem_aligned(used_bytes, outer_mma_alignment));
    const int thread = team.team_rank(), warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0), lane = thread % 32;
    const OuterMmaTile tile = origin(team.league_rank());
    begin_in_order(team);
    bring_right(tile, thread, scratch);
    bring_left(tile, thread, scratch + right_bytes);
    bring_bias(tile, thread, reinterpret_cast<float*>(scratch + right_bytes + left_bytes));
    __syncthreads();
    multiply(tile, warp, lane, scratch);
  }

 private:
  static constexpr int right_bytes = outer_mma_columns * Config::line_bytes,
                       left_bytes  = outer_mma_most_rows * Config::line_bytes;
  static constexpr int block_rows = 16, block_columns = 8, blocks = part_columns / block_columns;

  using Sums = float[blocks][4];

  // Of a tile; those of a row of tiles follow each other.
  __device__ OuterMmaTile origin(int tile) const {
    const int width        = this->how.laps ? outer_lapping_columns : outer_mma_columns;
    const auto columns     = static_cast<std::uint32_t>(this->n);
    const int tile_columns = static_cast<int>((columns + (width - 1u)) / width);
    const int tile_row     = tile_columns == 1 ? tile : tile / tile_columns;
    const std::int32_t row = tile_row << this->how.rows_log2, column = (tile - tile_row * tile_columns) * width;
    return {row, column, width, this->n - column};
  }

  // Where the lines of the right operand lie: block by block those of its columns, of which lanes have pairs.
  __device__ void bring_right(const OuterMmaTile& tile, int thread, char* scratch) const {
    OuterMmaPanel<Config>(this->right + tile.column * this->right_line, this->right_line, this->right_depth, tile.left,
                          this->depth)
        .bring(outer_mma_columns_log2, thread, scratch, [](int line) {
          const int of_part = line % part_columns, lane = of_part / lane_columns, column = of_part % lane_columns;
          return line - of_part + column / 2 * block_columns + lane * 2 + column % 2;
        });
  }

  __device__ void bring_left(const OuterMmaTile& tile, int thread, char* scratch) const {
    OuterMmaPanel<Config>(this->left + tile.row * this->left_line, this->left_line, this->left_depth,
                          this->m - tile.row, this->depth)
        .bring(this->how.rows_log2, thread, scratch, [](int line) { return line; });
  }

  // Of the tile's columns or of its rows; zeros if there is none.
  __device__ void bring_bias(const OuterMmaTile& tile, int thread, float* scratch) const {
    using Any          = ResultElement<std::uint16_t>;
    const bool of_rows = this->has_bias_of_rows;
    const int count    = of_rows ? 1 << this->how.rows_log2 : outer_mma_columns;
    const int first    = of_rows ? tile.row : tile.column;
    const int inside   = this->bias == nullptr ? 0 : of_rows ? this->m - tile.row : tile.left;
#pragma unroll 1
    for (int i = thread; i < count; i += outer_mma_threads)
      scratch[i] = i < inside ? Any::value(this->bias_element, Any::ask(this->bias, this->bias_element,
                                                                        (std::int64_t(first) + i) * this->bias_stride))
                              : 0.0f;
  }

  __device__ void multiply(const OuterMmaTile& tile, int warp, int lane, const char* scratch) const {
    const int inside = min(tile.left, outer_mma_columns), parts = (inside + part_columns - 1) / part_columns;
    // What runs have before their first word is stored a part later, unless it is the next tile's.
    const bool is_behind      = this->how.shifts && !(this->how.laps && tile.left > outer_mma_columns);
    const std::uint32_t right = ptx::shared_address(scratch), left = right + right_bytes;
    const auto* const bias = reinterpret_cast<const float*>(scratch + right_bytes + left_bytes);
#pragma unroll 1
    for (int row = warp * block_rows; row < 1 << this->how.rows_log2 && row < this->m - tile.row;
         row += outer_mma_warps * block_rows) {
      std::uint32_t lines[Config::steps][4];
      read_left(left, row, lane, lines);
      OuterMmaStore<Input> store(*this, tile, row + lane / 4, lane);
#pragma unroll 1
      for (int part = 0; part < parts + is_behind; ++part) {
        Sums sums;
        OuterMmaValues values;
        begin_with_bias(bias, row + lane / 4, part, lane, sums);
        if (part < parts) add_products(lines, right, part, lane, sums);
#pragma unroll
        for (int r = 0; r < lane_rows; ++r)
#pragma unroll
          for (int c = 0; c < lane_columns; ++c) values[r][c] = sums[c / 2][2 * r + c % 2];
        store.store(part, values);
      }
    }
  }

  __device__ void read_left(std::uint32_t left, int row, int lane, std::uint32_t (&lines)[Config::steps][4]) const {
    const std::uint32_t at = left + (row + lane % 16) * Config::line_bytes + lane / 16 * 16;
#pragma unroll
    for (int step = 0; step < Config::steps; ++step) ptx::load_matrices(at + step * 32, lines[step]);
  }

  __device__ void begin_with_bias(const float* bias, int row, int part, int lane, Sums& sums) const {
    const int column   = min(part * part_columns + lane % 4 * lane_columns, outer_mma_columns - lane_columns);
    const bool of_rows = this->has_bias_of_rows;
    const auto* four   = reinterpret_cast<const float4*>(bias + (of_rows ? 0 : column));
    const float of_row[lane_rows] = {bias[of_rows ? row : 0], bias[of_rows ? row + 8 : 0]};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float4 of       = four[half];
      const float columns[] = {of.x, of.y, of.z, of.w};
#pragma unroll
      for (int c = 0; c < 4; ++c)
#pragma unroll
        for (int r = 0; r < lane_rows; ++r) sums[half * 2 + c / 2][2 * r + c % 2] = of_rows ? of_row[r] : columns[c];
    }
  }

  __device__ void add_products(const std::uint32_t (&lines)[Config::steps][4], std::uint32_t right, int part, int lane,
                               Sums& sums) const {
    const std::uint32_t at =
        right + (part * part_columns + lane / 16 * 8 + lane % 8) * Config::line_bytes + lane / 8 % 2 * 16;
#pragma unroll
    for (int step = 0; step < Config::steps; ++step) {
      if (step * Config::mma_depth >= this->depth) break;
#pragma unroll
      for (int two = 0; two < blocks / 2; ++two) {
        std::uint32_t columns[4];
        ptx::load_matrices(at + two * 16 * Config::line_bytes + step * 32, columns);
        ptx::multiply_add(Input(), sums[2 * two], lines[step], columns[0], columns[1]);
        ptx::multiply_add(Input(), sums[2 * two + 1], lines[step], columns[2], columns[3]);
      }
    }
  }
};

}  // namespace Tegula::Impl

#endif
