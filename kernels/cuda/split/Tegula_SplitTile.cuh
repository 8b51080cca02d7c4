// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SPLIT_TILE_CUH
#define TEGULA_SPLIT_TILE_CUH

#include <cuda_fp16.h>

#include "../ptx/Tegula_PtxRound.cuh"
#include "Tegula_SplitOperand.hpp"

/// A team's tile of an operand, 64 lines x 64 steps of depth: how it is read, and how parts of it are stored. Every
/// thread has runs of 8 elements along the depth; 8 neighbouring threads have a line.

namespace Tegula::Impl {

struct SplitTile {
  static constexpr int threads = 256, run = 8, line_threads = split_depth / run, lines = split_lines;
  static constexpr int runs            = lines * line_threads / threads;  // of a thread
  static constexpr int scratch_floats  = lines * split_depth;
  static constexpr int lines_at_a_time = threads / line_threads;

  const SplitOperand& operand;
  std::int64_t first_line, block;
  int thread;

  /// Tiles of the same lines follow each other.
  __device__ SplitTile(const SplitOperand& split, std::uint32_t number, int rank) : operand(split), thread(rank) {
    const auto blocks = static_cast<std::uint32_t>(split.blocks), line_block = number / blocks;
    block      = number - line_block * blocks;
    first_line = static_cast<std::int64_t>(line_block) * lines;
  }

  __device__ std::int64_t line(int r) const { return first_line + r * lines_at_a_time + thread / line_threads; }
  __device__ std::int64_t depth() const { return block * split_depth + thread % line_threads * run; }
  __device__ bool has_line(int r) const { return line(r) < operand.lines(); }
  __device__ float& scale(int r) const { return operand.scales[line(r)]; }

  /// Elements of a line in the tile.
  __device__ int length() const {
    const std::int64_t rest = operand.depth() - block * split_depth;
    return rest < split_depth ? static_cast<int>(rest) : split_depth;
  }

  /// Words of 4 elements that are on their way to a thread.
  static constexpr int words = runs * run / 4;
  using Words                = float4[words];

  /// Begins to read: zeros where the operand ends.
  __device__ void fetch(Words& to) const {
    fetch(to, [&](int step) { return block * split_depth + step; });
  }

  /// The same for the sample of the tile's lines: 8 runs, evenly spread over the depth.
  __device__ void fetch_sample(Words& to) const {
    fetch(to, [&](int step) { return step / run * operand.blocks / (split_depth / run) * split_depth + step; });
  }

  /// The thread's runs, from what it fetched. The team's threads call this together.
  template <class Member>
  __device__ void arrange(const Member& team, float* scratch, const Words& from, float (&values)[runs][run]) const {
    if (operand.reader.along_lines) return turn(team, scratch, from, values);
#pragma unroll
    for (int i = 0; i < words; ++i) {
      float* const to = values[i * 4 / run] + i * 4 % run;
      to[0] = from[i].x, to[1] = from[i].y, to[2] = from[i].z, to[3] = from[i].w;
    }
  }

  /// Stores a part of a run.
  __device__ void store(int part, int r, const std::uint32_t (&pairs)[run / 2]) const {
    if (!has_line(r)) return;
    std::uint16_t* const to       = operand.parts + (part * operand.lines() + line(r)) * operand.pitch + depth();
    *reinterpret_cast<uint4*>(to) = {pairs[0], pairs[1], pairs[2], pairs[3]};
  }

 private:
  // depth_of: of a step of the tile.
  template <class Depth>
  __device__ void fetch(Words& to, const Depth& depth_of) const {
    if (operand.reader.along_lines) {
#pragma unroll
      for (int i = 0; i < words; ++i) to[i] = four_lines(first_line + word_line(), depth_of(word_step(i)));
    } else {
#pragma unroll
      for (int i = 0; i < words; ++i)
        to[i] = four_steps(line(i * 4 / run), depth_of(thread % line_threads * run + i * 4 % run));
    }
  }

  __device__ float4 four_steps(std::int64_t i, std::int64_t j) const {
    const MatrixRef<const float>& matrix = operand.reader.matrix;
    const float* const from              = matrix.data + i * matrix.row_stride + j * matrix.column_stride;
    if (i >= matrix.rows) return {0, 0, 0, 0};
    return four(from, matrix.column_stride, j, matrix.columns);
  }
  __device__ float4 four_lines(std::int64_t i, std::int64_t j) const {
    const MatrixRef<const float>& matrix = operand.reader.matrix;
    const float* const from              = matrix.data + i + j * matrix.column_stride;
    if (j >= matrix.columns) return {0, 0, 0, 0};
    return four(from, 1, i, matrix.rows);
  }

  // Those of four neighbours, the first of which has this place, that lie before the end.
  __device__ float4 four(const float* from, std::int64_t stride, std::int64_t place, std::int64_t end) const {
    if (operand.reader.by_words && place + 4 <= end) return __ldg(reinterpret_cast<const float4*>(from));
    const auto element = [&](int e) { return place + e < end ? from[e * stride] : 0; };
    return {element(0), element(1), element(2), element(3)};
  }

  static constexpr int line_words = lines / 4,
                       word_steps = threads / line_words;  // words side by side, steps at a time

  __device__ int word_line() const { return thread % line_words * 4; }
  __device__ int word_step(int i) const { return thread / line_words + i * word_steps; }

  // Scratch holds the tile by steps of depth; 4 lines stay neighbours, and change places so that the threads of a warp
  // meet in no bank.
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
