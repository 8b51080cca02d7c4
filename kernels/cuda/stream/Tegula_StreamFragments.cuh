// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_FRAGMENTS_CUH
#define TEGULA_STREAM_FRAGMENTS_CUH

#include "../ptx/Tegula_PtxMma.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_StreamBias.cuh"
#include "Tegula_StreamConfig.hpp"

namespace Tegula::Impl {

/// 32 lines of a tile for 16 steps of depth, as tensor cores take them (ptx::multiply_add), read from where the tile
/// lies as it does in memory.
template <class Config, bool is_packed>
class StreamLeft {
 public:
  static constexpr int parts = Config::lines_once / 16;
  using Fragments            = std::uint32_t[parts][4];

  __device__ StreamLeft(const StreamedMatrix& matrix, int lane)
      : image_(matrix),
        by_(image_.has_chunks()                  ? Reads::chunks
            : is_packed && image_.has_runs_of(2) ? Reads::pairs
                                                 : Reads::elements),
        depth_(matrix.columns),
        lane_(lane) {
    const int of_lane = (matrix.columns - 1) % 16 + 1 - lane % 4 * 2;
    const auto pair   = [](int n) { return n > 1 ? 0xFFFFFFFFu : n == 1 ? 0xFFFFu : 0u; };
    inside_[0] = pair(of_lane), inside_[1] = pair(of_lane - 8);
  }

  /// `tile` is where it lies; lines from `row` on, steps from `from` on.
  __device__ void read(std::uint32_t tile, int row, int from, Fragments& left) const {
    if (by_ == Reads::chunks) {
      read_chunks(tile, row, from, left);
    } else {
      by_ == Reads::pairs ? read_pairs(tile, row, from, left) : read_elements(tile, row, from, left);
    }
    if (from + 16 > depth_) mask(left);
  }

 private:
  enum class Reads : std::uint8_t { chunks, pairs, elements };
  static constexpr int size = 2;  // bytes

  // Behind the depth there may be anything, NaN, too.
  __device__ void mask(Fragments& left) const {
#pragma unroll
    for (auto& part : left)
#pragma unroll
      for (int r = 0; r < 4; ++r) part[r] &= inside_[r / 2];
  }

  __device__ void read_chunks(std::uint32_t tile, int row, int from, Fragments& left) const {
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      if constexpr (is_packed) {
        const int line = row + 16 * part + lane_ % 16, step = from + lane_ / 16 * 8;
        ptx::load_matrices(image_.place(tile + (line * image_.line() + step) * size), left[part]);
      } else {
        const int line = row + 16 * part + lane_ / 8 % 2 * 8, step = from + lane_ / 16 * 8 + lane_ % 8;
        ptx::load_matrices_transposed(tile + (step * Config::pitch + line) * size, left[part]);
      }
    }
  }

  __device__ void read_pairs(std::uint32_t tile, int row, int from, Fragments& left) const {
    const std::uint32_t first = tile + ((row + lane_ / 4) * image_.line() + image_.column(from + lane_ % 4 * 2)) * size;
#pragma unroll
    for (int part = 0; part < parts; ++part)
#pragma unroll
      for (int r = 0; r < 4; ++r)
        ptx::load_element(first + (16 * part + r % 2 * 8) * image_.line() * size + r / 2 * 16, left[part][r]);
  }

  __device__ void read_elements(std::uint32_t tile, int row, int from, Fragments& left) const {
    const int line = row + lane_ / 4, first = from + lane_ % 4 * 2;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int step             = first + 8 * half;
      const std::uint32_t lines  = tile + line * image_.line() * size;
      const std::uint32_t of[]   = {lines + image_.column(step) * size, lines + image_.column(step + 1) * size};
      const std::uint32_t eighth = 8 * image_.line() * size;
#pragma unroll
      for (int r = 0; r < 2 * parts; ++r)
        left[r / 2][2 * half + r % 2] = ptx::load_16_bits(of[0] + r * eighth) | ptx::load_16_bits(of[1] + r * eighth)
                                                                                    << 16;
    }
  }

  StreamImage<Config, is_packed> image_;
  Reads by_;
  int depth_, lane_;
  std::uint32_t inside_[2];  // bits of a lane's pairs of the last step, and of those 8 behind them
};

/// The product of a tile and the short operand by tensor cores, with 32 lines of the tile at a time.
template <class Config, class Input, bool is_packed, bool stores_packed>
class StreamFragments {
  using Arguments = StreamArguments<std::uint16_t>;
  using Left      = StreamLeft<Config, is_packed>;
  using Sums      = float[Left::parts][Config::blocks][4];

  static constexpr int size    = 4;                // bytes of a sum
  static constexpr int eighths = 2 * Left::parts;  // rows of 8 lines, of which a lane has one each

 public:
  __device__ StreamFragments(const Arguments& arguments, std::uint32_t scratch, int warp, int lane)
      : p_(arguments),
        left_(arguments.streamed, lane),
        image_(arguments.C),
        has_pairs_(stores_packed && image_.has_runs_of(2)),
        sums_(scratch + Config::sums_at + warp * Config::sums_bytes),
        held_(scratch + Config::held_at + lane * 8),
        bias_(scratch + Config::bias_at),
        lane_(lane) {}

  /// Brings the short operand as instructions take it, with zeros behind it, and the bias of columns.
  __device__ void hold(char* scratch, int thread) const {
    auto* const held = reinterpret_cast<std::uint16_t*>(scratch + Config::held_at);
    auto* const bias = reinterpret_cast<float*>(scratch + Config::bias_at);
    const int all    = (p_.depth + 15) / 16 * 16 * Config::width;
#pragma unroll 8
    for (int at = thread; at < all; at += Config::threads) {
      const int element = at % 4, lane = at / 4 % 32, block = at / 128 % Config::blocks,
                step = at / 128 / Config::blocks;
      const int line = block * 8 + lane / 4, depth = step * 16 + element / 2 * 8 + lane % 4 * 2 + element % 2;
      held[at] = line < p_.held.rows && depth < p_.depth ? p_.held(line, depth) : std::uint16_t(0);
    }
    if (thread < Config::width)
      bias[thread] =
          thread < p_.held.rows && p_.bias_of_columns != nullptr ? stream_bias(p_, p_.bias_of_columns, thread) : 0.0f;
  }

  /// The tile begins with line `first`. Returns where its results are.
  __device__ std::uint32_t compute(std::uint32_t tile, std::int64_t first) const {
    const std::int64_t left = p_.lines - first;
    const int lines         = left < Config::lines ? static_cast<int>(left) : Config::lines;
#pragma unroll 1
    for (int row = 0; row < lines; row += Config::lines_once) {
      Sums sums = {};
      multiply(tile, row, sums);
      scale(first + row, sums);
      has_pairs_ ? put_pairs(row, sums) : put_elements(row, sums);
    }
    return sums_;
  }

 private:
  __device__ void multiply(std::uint32_t tile, int row, Sums& sums) const {
#pragma unroll
    for (int step = 0; step < Config::steps; ++step) {
      if (step * 16 >= p_.depth) break;
      typename Left::Fragments left;
      left_.read(tile, row, step * 16, left);
#pragma unroll
      for (int block = 0; block < Config::blocks; ++block) {
        std::uint32_t right[2];
        ptx::load_pair(held_ + (step * Config::blocks + block) * 256, right[0], right[1]);
#pragma unroll
        for (int part = 0; part < Left::parts; ++part)
          ptx::multiply_add(Input(), sums[part][block], left[part], right[0], right[1]);
      }
    }
  }

  // Makes the sums of lines from `line` on alpha times themselves plus the bias.
  __device__ void scale(std::int64_t line, Sums& sums) const {
#pragma unroll
    for (int block = 0; block < Config::blocks; ++block) {
      float bias[2];
      ptx::load_vector(bias_ + (block * 8 + lane_ % 4 * 2) * size, bias);
#pragma unroll
      for (auto& part : sums)
#pragma unroll
        for (int e = 0; e < 4; ++e) part[block][e] = ::fma(p_.alpha, part[block][e], bias[e % 2]);
    }
    if (p_.bias_of_lines != nullptr) add_bias_of_lines(line + lane_ / 4, sums);
  }
  __device__ void add_bias_of_lines(std::int64_t line, Sums& sums) const {
#pragma unroll
    for (int r = 0; r < eighths; ++r) {
      if (line + 8 * r >= p_.lines) return;
      const float bias = stream_bias(p_, p_.bias_of_lines, line + 8 * r);
#pragma unroll
      for (int block = 0; block < Config::blocks; ++block)
#pragma unroll
        for (int c = 0; c < 2; ++c) sums[r / 2][block][r % 2 * 2 + c] += bias;
    }
  }

  // Puts what is stored where C lies in memory, as floats. A lane has pairs of neighbouring columns: visit(where a pair
  // of the first eight lines lies, its column, its block, how far the next eight are).
  template <class Visit>
  __device__ void for_pairs(int row, const Visit& visit) const {
    const std::uint32_t eighth = 8 * image_.line() * size,
                        lines  = sums_ + row * image_.line() * size + lane_ / 4 * image_.line() * size;
#pragma unroll
    for (int block = 0; block < Config::blocks; ++block) {
      const int column = block * 8 + lane_ % 4 * 2;
      if (column < p_.C.columns) visit(lines, column, block, eighth);
    }
  }
  __device__ void put_pairs(int row, const Sums& sums) const {
    for_pairs(row, [&](std::uint32_t lines, int column, int block, std::uint32_t eighth) {
      const std::uint32_t first = lines + image_.column(column) * size;
#pragma unroll
      for (int r = 0; r < eighths; ++r)
        ptx::store_pair(image_.place(first + r * eighth), sums[r / 2][block][r % 2 * 2],
                        sums[r / 2][block][r % 2 * 2 + 1]);
    });
  }
  __device__ void put_elements(int row, const Sums& sums) const {
    for_pairs(row, [&](std::uint32_t lines, int column, int block, std::uint32_t eighth) {
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        if (column + c == p_.C.columns) return;
        const std::uint32_t first = lines + image_.column(column + c) * size;
#pragma unroll
        for (int r = 0; r < eighths; ++r) ptx::store_element(first + r * eighth, sums[r / 2][block][r % 2 * 2 + c]);
      }
    });
  }

  const Arguments& p_;
  Left left_;
  StreamImage<Config, stores_packed> image_;
  bool has_pairs_;  // neighbouring results of a lane lie behind each other, at a multiple of the size of both
  std::uint32_t sums_, held_, bias_;
  int lane_;
};

}  // namespace Tegula::Impl

#endif
