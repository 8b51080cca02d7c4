// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_KERNEL_CUH
#define TEGULA_STREAM_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_StreamEpilogue.cuh"

/// The kernel of the stream family. Teams are persistent: they bring the short operand to scratch once. From then on
/// every warp brings tiles of the long operand, multiplies and stores them, and waits for no other warp. A lane has
/// whole lines, so that scratch may hold them as memory does, whatever their length and alignment.

namespace Tegula::Impl {

template <class Config, bool is_packed>
struct StreamKernel : StreamArguments<typename Config::element> {
  using T         = typename Config::element;
  using Arguments = StreamArguments<T>;
  using teams     = CudaTeamsOf<Config>;
  using member    = typename teams::member;
  using Image     = StreamImage<Config, is_packed>;
  using Tile      = StreamTile<Config, is_packed>;
  using Sums      = T[Config::lane_lines][Config::width];

  explicit StreamKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const int thread = team.team_rank(), lane = thread % 32;
    // All threads of a warp have the same value, and the compiler should know.
    const int warp             = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    const std::int64_t apart   = std::int64_t(team.league_size()) * Config::warps * Config::lines;
    const std::uint32_t stages = ptx::shared_address(scratch) + warp * Config::stages * Config::stage_bytes,
                        held   = ptx::shared_address(scratch) + Config::held_at;
    std::int64_t first         = (std::int64_t(team.league_rank()) * Config::warps + warp) * Config::lines;

    fetch(first, stages, lane);
    hold(reinterpret_cast<T*>(scratch + Config::held_at), thread);
    team.team_barrier();
#pragma unroll 1
    for (std::uint32_t stage = 0; first < this->lines; first += apart, stage = Config::stage_bytes - stage) {
      ptx::wait_copies<0>();
      __syncwarp();
      fetch(first + apart, stages + (Config::stage_bytes - stage), lane);
      Sums sums;
      begin(held, first + lane, sums);
      multiply(stages + stage, held, lane, sums);
      scale(held, first + lane, sums);
      // Results take the place of what they were formed of.
      __syncwarp();
      put(stages + stage, lane, sums);
      __syncwarp();
      const Tile tile(this->C, first, this->lines - first);
      StreamEpilogue<Config, is_packed>(*this).store(tile, stages + stage, lane);
      // The stage is filled again only when all lanes have read it.
    }
  }

 private:
  __device__ void fetch(std::int64_t first, std::uint32_t stage, int lane) const {
    if (first < this->lines) {
      const T* const from = static_cast<const T*>(this->streamed.data);
      Tile(this->streamed, first, this->lines - first)
          .for_each_chunk(lane, [&](int chunk, std::int64_t at, int /* begin */, int end) {
            const int elements = end < Config::block ? end : Config::block;
            ptx::copy_part_of_unit<16>(stage + chunk * 16, from + at, elements * int(sizeof(T)));
          });
    }
    ptx::commit_copies();
  }

  // Brings the short operand, a row of `width` for each step of depth with zeros behind it, and the bias of columns.
  __device__ void hold(T* scratch, int thread) const {
#pragma unroll 4
    for (int at = thread; at < (this->depth + 1) * Config::width; at += Config::threads) {
      const int step = at / Config::width, line = at % Config::width;
      T value = 0;
      if (line < this->held.rows && step < this->depth) value = this->held(line, step);
      if (line < this->held.rows && step == this->depth && this->bias_of_columns != nullptr)
        value = this->bias_of_columns[line * this->bias_stride];
      scratch[at] = value;
    }
  }

  // Sums begin with the bias where that is all that is added to them; otherwise they are scaled before.
  __device__ void begin(std::uint32_t held, std::int64_t line, Sums& sums) const {
    if (this->alpha == 1) {
      for_each_bias(held, line, sums, [](T& sum, T bias) { sum = bias; });
    } else {
#pragma unroll
      for (auto& of_line : sums)
#pragma unroll
        for (T& sum : of_line) sum = 0;
    }
  }
  __device__ void scale(std::uint32_t held, std::int64_t line, Sums& sums) const {
    if (this->alpha == 1) return;
    for_each_bias(held, line, sums, [this](T& sum, T bias) { sum = ::fma(this->alpha, sum, bias); });
  }

  // Calls visit(sum, bias) for all sums of a lane, whose first line is `line`.
  template <class Visit>
  __device__ void for_each_bias(std::uint32_t held, std::int64_t line, Sums& sums, const Visit& visit) const {
    constexpr int size = int(sizeof(T)), block = Config::block;
    T of_line[Config::lane_lines] = {};
    if (this->bias_of_lines != nullptr) {
#pragma unroll
      for (int i = 0; i < Config::lane_lines; ++i)
        if (line + 32 * i < this->lines) of_line[i] = this->bias_of_lines[(line + 32 * i) * this->bias_stride];
    }
#pragma unroll
    for (int j = 0; j < Config::width; j += block) {
      T bias[block];
      ptx::load_vector(held + (this->depth * Config::width + j) * size, bias);
#pragma unroll
      for (int e = 0; e < block; ++e)
#pragma unroll
        for (int i = 0; i < Config::lane_lines; ++i) visit(sums[i][j + e], bias[e] + of_line[i]);
    }
  }

  __device__ void multiply(std::uint32_t stage, std::uint32_t held, int lane, Sums& sums) const {
    constexpr int size = int(sizeof(T)), block = Config::block;
    const Image image(this->streamed);
    std::uint32_t lines[Config::lane_lines];
    for_lines(stage, image, lane, lines);
    constexpr int unrolled = Config::width * Config::lane_lines <= 32 ? 4 : 2;
#pragma unroll unrolled
    for (int step = 0; step < this->depth; ++step) {
      const int at = image.column(step) * size;
      T left[Config::lane_lines];
#pragma unroll
      for (int i = 0; i < Config::lane_lines; ++i) ptx::load_element(lines[i] + at, left[i]);
#pragma unroll
      for (int j = 0; j < Config::width; j += block) {
        T right[block];
        ptx::load_vector(held + (step * Config::width + j) * size, right);
#pragma unroll
        for (int e = 0; e < block; ++e)
#pragma unroll
          for (int i = 0; i < Config::lane_lines; ++i) sums[i][j + e] = ::fma(left[i], right[e], sums[i][j + e]);
      }
    }
  }

  // Puts the sums where C lies in memory.
  __device__ void put(std::uint32_t stage, int lane, const Sums& sums) const {
    const Image image(this->C);
    std::uint32_t lines[Config::lane_lines];
    for_lines(stage, image, lane, lines);
#pragma unroll
    for (int j = 0; j < Config::width; ++j) {
      if (j >= this->C.columns) return;
      const int at = image.column(j) * int(sizeof(T));
#pragma unroll
      for (int i = 0; i < Config::lane_lines; ++i) ptx::store_element(lines[i] + at, sums[i][j]);
    }
  }

  // Where the lane's lines begin.
  __device__ static void for_lines(std::uint32_t stage, const Image& image, int lane,
                                   std::uint32_t (&lines)[Config::lane_lines]) {
#pragma unroll
    for (int i = 0; i < Config::lane_lines; ++i)
      lines[i] = stage + static_cast<std::uint32_t>((lane + 32 * i) * image.line()) * sizeof(T);
  }
};

}  // namespace Tegula::Impl

#endif
