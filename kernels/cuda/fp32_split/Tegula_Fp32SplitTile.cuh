// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_TILE_CUH
#define TEGULA_FP32_SPLIT_TILE_CUH

#include <cuda_fp16.h>

#include "../ptx/Tegula_PtxRound.cuh"
#include "Tegula_Fp32SplitOperand.hpp"

/// A team's tile of an operand, 64 lines x 64 steps of depth: how it is read, and how its parts are stored. Every
/// thread has runs of 8 elements along the depth; 8 neighbouring threads have a line.

namespace Tegula::Impl {

struct Fp32SplitTile {
  static constexpr int threads = 256, run = 8, line_threads = split_depth / run, lines = split_lines;
  static constexpr int runs            = lines * line_threads / threads;  // of a thread
  static constexpr int scratch_floats  = lines * split_depth;
  static constexpr int lines_at_a_time = threads / line_threads;

  const Fp32SplitOperand& operand;
  std::uint32_t line_block, block;
  int thread;

  __device__ std::int64_t first_line() const { return std::int64_t(line_block) * lines; }
  __device__ std::int64_t line(int r) const { return first_line() + r * lines_at_a_time + thread / line_threads; }
  __device__ std::int64_t depth() const { return std::int64_t(block) * split_depth + thread % line_threads * run; }
  __device__ bool has_line(int r) const { return line(r) < operand.lines(); }
  __device__ float& scale(int r) const { return operand.scales[line(r)]; }

  /// Elements of a line in the tile.
  __device__ int length() const {
    const std::int64_t rest = operand.depth() - std::int64_t(block) * split_depth;
    return rest < split_depth ? static_cast<int>(rest) : split_depth;
  }

  /// Words of 4 elements that are on their way to a thread.
  static constexpr int words = runs * run / 4;
  using Words                = float4[words];

  /// Begins to read; elements beyond the end of the operand are zero.
  __device__ void fetch(Words& to) const {
    fetch(to, block, [&](int step) { return std::int64_t(block) * split_depth + step; });
  }

  /// The same for the sample of the tile's lines: 8 runs, evenly spread over the depth.
  __device__ void fetch_sample(Words& to) const {
    constexpr int sampled = split_depth / run;
    const auto block_of   = [&](int number) { return std::int64_t(number) * operand.blocks / sampled; };
    fetch(to, block_of(sampled - 1), [&](int step) { return block_of(step / run) * split_depth + step; });
  }

  /// Turns what was fetched into the thread's runs. All threads of the team call this.
  template <class Member>
  __device__ void arrange(const Member& team, float* scratch, const Words& from, float (&values)[runs][run]) const {
    if (operand.reader.along_lines) return turn(team, scratch, from, values);
#pragma unroll
    for (int i = 0; i < words; ++i) {
      float* const to = values[i * 4 / run] + i * 4 % run;
      to[0] = from[i].x, to[1] = from[i].y, to[2] = from[i].z, to[3] = from[i].w;
    }
  }

  /// The place of the first part of a run. Each further part follows behind all lines of the one before.
  __device__ std::uint16_t* place_of(int r) const { return operand.parts + line(r) * operand.pitch + depth(); }
  __device__ std::int64_t part_pitch() const { return operand.lines() * operand.pitch; }
  __device__ static void store(std::uint16_t* to, const std::uint32_t (&pairs)[run / 2]) {
    *reinterpret_cast<uint4*>(to) = {pairs[0], pairs[1], pairs[2], pairs[3]};
  }

 private:
  // depth_of gives the depth of a step of the tile. No step lies in a block behind `last_block`.
  template <class Depth>
  __device__ void fetch(Words& to, std::int64_t last_block, const Depth& depth_of) const {
    const bool is_whole = operand.reader.by_words && first_line() + lines <= operand.lines() &&
                          (last_block + 1) * split_depth <= operand.depth();
    is_whole ? read<true>(to, depth_of) : read<false>(to, depth_of);
  }

  template <bool is_whole, class Depth>
  __device__ void read(Words& to, const Depth& depth_of) const {
    if (operand.reader.along_lines) {
      const std::int64_t i = first_line() + word_line();
#pragma unroll
      for (int w = 0; w < words; ++w) {
        const std::int64_t j = depth_of(word_step(w));
        to[w] = is_whole ? four(i, j) : j < operand.depth() ? four_before(i, j, 1, operand.lines() - i) : float4{};
      }
    } else {
      const std::int64_t stride = operand.reader.matrix.column_stride;
#pragma unroll
      for (int w = 0; w < words; ++w) {
        const std::int64_t i = line(w * 4 / run), j = depth_of(thread % line_threads * run + w * 4 % run);
        to[w] = is_whole ? four(i, j) : i < operand.lines() ? four_before(i, j, stride, operand.depth() - j) : float4{};
      }
    }
  }

  __device__ const float* at(std::int64_t i, std::int64_t j) const {
    const MatrixRef<const float>& matrix = operand.reader.matrix;
    return matrix.data + i * matrix.row_stride + j * matrix.column_stride;
  }

  // Four neighbours from an element on, which all exist and can be read by one instruction.
  __device__ float4 four(std::int64_t i, std::int64_t j) const {
    return __ldg(reinterpret_cast<const float4*>(at(i, j)));
  }
  // Those of them that are among the next `rest`; the others are zero.
  __device__ float4 four_before(std::int64_t i, std::int64_t j, std::int64_t stride, std::int64_t rest) const {
    if (operand.reader.by_words && rest >= 4) return four(i, j);
    const float* const from = at(i, j);
    const auto element      = [&](int e) { return e < rest ? from[e * stride] : 0; };
    return {element(0), element(1), element(2), element(3)};
  }

  static constexpr int line_words = lines / 4,
                       word_steps = threads / line_words;  // words side by side, steps at a time

  __device__ int word_line() const { return thread % line_words * 4; }
  __device__ int word_step(int i) const { return thread / line_words + i * word_steps; }

  // Scratch holds the tile by steps of depth. Four lines stay neighbours; such groups are swizzled so that the threads
  // of a warp meet in no bank.
  __device__ static int place(int step, int line) { return step * lines + (line ^ (step / run * 4)); }

  template <class Member>
  __device__ void turn(const Member& team, float* scratch, const Words& from, float (&values)[runs][run]) const {
#pragma unroll
    for (int i = 0; i < words; ++i) *reinterpret_cast<float4*>(scratch + place(word_step(i), word_line())) = from[i];
    team.team_barrier();
    const int step = thread % line_threads * run;
#pragma unroll
    for (int r = 0; r < runs; ++r)
#pragma unroll
      for (int e = 0; e < run; ++e)
        values[r][e] = scratch[place(step + e, r * lines_at_a_time + thread / line_threads)];
    team.team_barrier();
  }
};

}  // namespace Tegula::Impl

#endif
