// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_LANES_CUH
#define TEGULA_STREAM_LANES_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_StreamBias.cuh"
#include "Tegula_StreamConfig.hpp"

namespace Tegula::Impl {

/// The product of a tile and the short operand by fused multiply-adds: a lane has whole lines of the tile, and sums of
/// neighbouring columns of theirs.
template <class Config, bool is_packed, bool stores_packed>
class StreamLanes {
  using T         = typename Config::element;
  using Arguments = StreamArguments<T>;
  using Sums      = T[Config::lane_lines][Config::lane_width];

  static constexpr int size = int(sizeof(T)), block = Config::block, width = Config::lane_width;
  static constexpr int apart    = Config::lane_rows;                         // from a line of a lane to its next
  static constexpr int unrolled = width * Config::lane_lines <= 32 ? 4 : 2;  // steps of depth

 public:
  __device__ StreamLanes(const Arguments& arguments, std::uint32_t scratch, int /* warp */, int lane)
      : p_(arguments),
        held_(scratch + Config::held_at + lane / Config::lane_rows * width * size),
        row_(lane % Config::lane_rows),
        column_(lane / Config::lane_rows * width) {}

  /// Brings the short operand, a row of `width` for each step of depth with zeros behind it, and the bias of columns.
  __device__ void hold(char* scratch, int thread) const {
    T* const held          = reinterpret_cast<T*>(scratch + Config::held_at);
    const std::uint32_t to = ptx::shared_address(held);
    const int all          = p_.depth * Config::width;
#pragma unroll 4
    for (int at = thread; at < all; at += Config::threads) {
      const int step = at / Config::width, line = at % Config::width;
      const bool is_inside = line < p_.held.rows;
      ptx::copy_part_of_unit<size>(to + at * size, is_inside ? &p_.held(line, step) : p_.held.data,
                                   is_inside ? size : 0);
    }
    ptx::commit_copies();
    if (thread < Config::width)
      held[all + thread] =
          thread < p_.held.rows && p_.bias_of_columns != nullptr ? stream_bias(p_, p_.bias_of_columns, thread) : T(0);
    ptx::wait_copies<0>();
  }

  /// The tile begins with line `first`. Its results take the place of what they were formed of.
  template <class Epilogue>
  __device__ void compute(std::uint32_t stage, std::int64_t first, const Epilogue& epilogue) const {
    Sums sums;
    begin(first + row_, sums);
    multiply(stage, sums);
    scale(first + row_, sums);
    __syncwarp();
    put(stage, sums);
    __syncwarp();
    p_.is_plain ? epilogue.template store_plain<Config>(stage, first)
                : epilogue.template store_finished<Config>(stage, first);
  }

 private:
  // Sums begin with the bias where that is all that is added to them; otherwise they are scaled before.
  __device__ void begin(std::int64_t line, Sums& sums) const {
    if (p_.alpha == 1) {
      for_each_bias(line, sums, [](T& sum, T bias) { sum = bias; });
    } else {
#pragma unroll
      for (auto& of_line : sums)
#pragma unroll
        for (T& sum : of_line) sum = 0;
    }
  }
  __device__ void scale(std::int64_t line, Sums& sums) const {
    if (p_.alpha == 1) return;
    for_each_bias(line, sums, [this](T& sum, T bias) { sum = ::fma(p_.alpha, sum, bias); });
  }

  // Calls visit(sum, bias) for all sums of a lane, whose first line is `line`.
  template <class Visit>
  __device__ void for_each_bias(std::int64_t line, Sums& sums, const Visit& visit) const {
    T of_line[Config::lane_lines] = {};
    if (p_.bias_of_lines != nullptr) {
#pragma unroll
      for (int i = 0; i < Config::lane_lines; ++i)
        if (line + apart * i < p_.lines) of_line[i] = stream_bias(p_, p_.bias_of_lines, line + apart * i);
    }
#pragma unroll
    for (int j = 0; j < width; j += block) {
      T bias[block];
      ptx::load_vector(held_ + (p_.depth * Config::width + j) * size, bias);
#pragma unroll
      for (int e = 0; e < block; ++e)
#pragma unroll
        for (int i = 0; i < Config::lane_lines; ++i) visit(sums[i][j + e], bias[e] + of_line[i]);
    }
  }

  // By chunks, where lines consist of them, or by elements.
  __device__ void multiply(std::uint32_t stage, Sums& sums) const {
    const StreamImage<Config, is_packed> image(p_.streamed);
    std::uint32_t lines[Config::lane_lines];
    for_lines(stage, image, lines);
    if (is_packed && p_.streamed.has_runs_of(block)) {
#pragma unroll 1
      for (int step = 0; step < p_.depth; step += block) {
        T left[Config::lane_lines][block];
#pragma unroll
        for (int i = 0; i < Config::lane_lines; ++i) ptx::load_vector(image.place(lines[i] + step * size), left[i]);
#pragma unroll
        for (int s = 0; s < block; ++s)
          add_products(
              step + s, [&](int i) { return left[i][s]; }, sums);
      }
    } else {
#pragma unroll unrolled
      for (int step = 0; step < p_.depth; ++step) {
        const int at = image.column(step) * size;
        T left[Config::lane_lines];
#pragma unroll
        for (int i = 0; i < Config::lane_lines; ++i) ptx::load_element(lines[i] + at, left[i]);
        add_products(
            step, [&](int i) { return left[i]; }, sums);
      }
    }
  }

  // left(i) is this step of the lane's line i.
  template <class Left>
  __device__ void add_products(int step, const Left& left, Sums& sums) const {
#pragma unroll
    for (int j = 0; j < width; j += block) {
      T right[block];
      ptx::load_vector(held_ + (step * Config::width + j) * size, right);
#pragma unroll
      for (int e = 0; e < block; ++e)
#pragma unroll
        for (int i = 0; i < Config::lane_lines; ++i) sums[i][j + e] = ::fma(left(i), right[e], sums[i][j + e]);
    }
  }

  // Puts the sums where C lies in memory.
  __device__ void put(std::uint32_t stage, const Sums& sums) const {
    const StreamImage<Config, stores_packed> image(p_.C);
    std::uint32_t lines[Config::lane_lines];
    for_lines(stage, image, lines);
    stores_packed&& p_.C.has_runs_of(block) ? put_chunks(image, lines, sums) : put_elements(image, lines, sums);
  }
  template <class Image>
  __device__ void put_chunks(const Image& image, const std::uint32_t (&lines)[Config::lane_lines],
                             const Sums& sums) const {
#pragma unroll
    for (int j = 0; j < width; j += block) {
      if (column_ + j >= p_.C.columns) return;
#pragma unroll
      for (int i = 0; i < Config::lane_lines; ++i)
        ptx::store_vector(image.place(lines[i] + (column_ + j) * size),
                          reinterpret_cast<const T(&)[block]>(sums[i][j]));
    }
  }
  template <class Image>
  __device__ void put_elements(const Image& image, const std::uint32_t (&lines)[Config::lane_lines],
                               const Sums& sums) const {
#pragma unroll
    for (int j = 0; j < width; ++j) {
      if (column_ + j >= p_.C.columns) return;
      const int at = image.column(column_ + j) * size;
#pragma unroll
      for (int i = 0; i < Config::lane_lines; ++i) ptx::store_element(lines[i] + at, sums[i][j]);
    }
  }

  // Where the lane's lines begin.
  template <class Image>
  __device__ void for_lines(std::uint32_t stage, const Image& image, std::uint32_t (&lines)[Config::lane_lines]) const {
#pragma unroll
    for (int i = 0; i < Config::lane_lines; ++i)
      lines[i] = stage + static_cast<std::uint32_t>((row_ + apart * i) * image.line()) * sizeof(T);
  }

  const Arguments& p_;
  std::uint32_t held_;
  int row_, column_;  // of the lane's first sum
};

}  // namespace Tegula::Impl

#endif
