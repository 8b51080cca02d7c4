// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_LANES_CUH
#define TEGULA_STREAM_LANES_CUH

#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_StreamBias.cuh"
#include "Tegula_StreamConfig.hpp"

namespace Tegula::Impl {

/// The product of a tile and the short operand by fused multiply-adds: a lane has whole lines of the tile, with all
/// their sums.
template <class Config, bool is_packed, bool stores_packed>
class StreamLanes {
  using T         = typename Config::element;
  using Arguments = StreamArguments<T>;
  using Sums      = T[Config::lane_lines][Config::width];

  static constexpr int size = int(sizeof(T)), block = Config::block;

 public:
  __device__ StreamLanes(const Arguments& arguments, std::uint32_t scratch, int /* warp */, int lane)
      : p_(arguments), held_(scratch + Config::held_at), lane_(lane) {}

  /// Brings the short operand, a row of `width` for each step of depth with zeros behind it, and the bias of columns.
  __device__ void hold(char* scratch, int thread) const {
    T* const held = reinterpret_cast<T*>(scratch + Config::held_at);
#pragma unroll 4
    for (int at = thread; at < (p_.depth + 1) * Config::width; at += Config::threads) {
      const int step = at / Config::width, line = at % Config::width;
      T value = 0;
      if (line < p_.held.rows && step < p_.depth) value = p_.held(line, step);
      if (line < p_.held.rows && step == p_.depth && p_.bias_of_columns != nullptr)
        value = stream_bias(p_, p_.bias_of_columns, line);
      held[at] = value;
    }
  }

  /// The tile begins with line `first`. Its results take the place of what they were formed of: returns that.
  __device__ std::uint32_t compute(std::uint32_t stage, std::int64_t first) const {
    Sums sums;
    begin(first + lane_, sums);
    multiply(stage, sums);
    scale(first + lane_, sums);
    __syncwarp();
    put(stage, sums);
    return stage;
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
        if (line + 32 * i < p_.lines) of_line[i] = stream_bias(p_, p_.bias_of_lines, line + 32 * i);
    }
#pragma unroll
    for (int j = 0; j < Config::width; j += block) {
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
    if (is_packed && image.has_chunks()) {
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
      constexpr int unrolled = Config::width * Config::lane_lines <= 32 ? 4 : 2;
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
    for (int j = 0; j < Config::width; j += block) {
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
    stores_packed&& image.has_chunks() ? put_chunks(image, lines, sums) : put_elements(image, lines, sums);
  }
  template <class Image>
  __device__ void put_chunks(const Image& image, const std::uint32_t (&lines)[Config::lane_lines],
                             const Sums& sums) const {
#pragma unroll
    for (int j = 0; j < Config::width; j += block) {
      if (j >= p_.C.columns) return;
#pragma unroll
      for (int i = 0; i < Config::lane_lines; ++i)
        ptx::store_vector(image.place(lines[i] + j * size), reinterpret_cast<const T(&)[block]>(sums[i][j]));
    }
  }
  template <class Image>
  __device__ void put_elements(const Image& image, const std::uint32_t (&lines)[Config::lane_lines],
                               const Sums& sums) const {
#pragma unroll
    for (int j = 0; j < Config::width; ++j) {
      if (j >= p_.C.columns) return;
      const int at = image.column(j) * size;
#pragma unroll
      for (int i = 0; i < Config::lane_lines; ++i) ptx::store_element(lines[i] + at, sums[i][j]);
    }
  }

  // Where the lane's lines begin.
  template <class Image>
  __device__ void for_lines(std::uint32_t stage, const Image& image, std::uint32_t (&lines)[Config::lane_lines]) const {
#pragma unroll
    for (int i = 0; i < Config::lane_lines; ++i)
      lines[i] = stage + static_cast<std::uint32_t>((lane_ + 32 * i) * image.line()) * sizeof(T);
  }

  const Arguments& p_;
  std::uint32_t held_;
  int lane_;
};

}  // namespace Tegula::Impl

#endif
