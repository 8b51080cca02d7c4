// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_FRAGMENTS_CUH
#define TEGULA_STREAM_FRAGMENTS_CUH

#include "../Tegula_CudaPairs.cuh"
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
        by_(matrix.has_runs_of(Config::block)    ? Reads::chunks
            : is_packed && matrix.has_runs_of(2) ? Reads::pairs
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
  using Finished  = typename Config::Finished;
  using Sums      = float[Left::parts][Config::blocks][4];
  using Pairs     = std::uint32_t[Left::parts][Config::blocks][2];

  static constexpr int eighths = 2 * Left::parts;  // rows of 8 lines, of which a lane has one each
  static_assert(Finished::lines == Config::lines || Finished::lines * Left::parts == Config::lines_once);

 public:
  __device__ StreamFragments(const Arguments& arguments, std::uint32_t scratch, int warp, int lane)
      : p_(arguments),
        left_(arguments.streamed, lane),
        has_pairs_(stores_packed && arguments.C.has_runs_of(2)),
        results_(scratch + Config::results_at + warp * Config::results_bytes),
        held_(scratch + Config::held_at + lane * 8),
        bias_(scratch + Config::bias_at),
        lane_(lane) {}

  /// Brings the short operand as instructions take it, with zeros behind it, and the bias of columns.
  __device__ void hold(char* scratch, int thread) const {
    auto* const held = reinterpret_cast<std::uint16_t*>(scratch + Config::held_at);
    auto* const bias = reinterpret_cast<float*>(scratch + Config::bias_at);
    // All are on their way before the first one is waited for.
    constexpr int each = Config::steps * 16 * Config::width / Config::threads;
    std::uint16_t of[each];
#pragma unroll
    for (int i = 0; i < each; ++i) {
      const int at = thread + i * Config::threads, element = at % 4, lane = at / 4 % 32;
      const int line  = at / 128 % Config::blocks * 8 + lane / 4,
                depth = at / 128 / Config::blocks * 16 + element / 2 * 8 + lane % 4 * 2 + element % 2;
      of[i]           = line < p_.held.rows && depth < p_.depth ? __ldg(&p_.held(line, depth)) : std::uint16_t(0);
    }
#pragma unroll
    for (int i = 0; i < each; ++i) held[thread + i * Config::threads] = of[i];
    if (thread < Config::width)
      bias[thread] =
          thread < p_.held.rows && p_.bias_of_columns != nullptr ? stream_bias(p_, p_.bias_of_columns, thread) : 0.0f;
  }

  /// The tile begins with line `first`.
  template <class Epilogue>
  __device__ void compute(std::uint32_t tile, std::int64_t first, const Epilogue& epilogue) const {
    const std::uint32_t results = Config::are_in_place ? tile : results_;
    const std::int64_t left     = p_.lines - first;
    const int lines             = left < Config::lines ? static_cast<int>(left) : Config::lines;
    if (p_.is_plain) {
      for_sums(tile, first, lines, [&](int row, const Sums& sums) { put_rounded(results, row, sums); });
      __syncwarp();
      epilogue.template store_plain<Config>(results, first);
    } else if constexpr (Finished::lines == Config::lines) {
      for_sums(tile, first, lines, [&](int row, const Sums& sums) {
        put_floats<eighths>(results, row, [&](int block, int r, int c) { return sums[r / 2][block][r % 2 * 2 + c]; });
      });
      __syncwarp();
      epilogue.template store_finished<Finished>(results, first);
    } else {
      for_sums(tile, first, lines, [&](int row, const Sums& sums) {
#pragma unroll 1
        for (int part = 0; part < Left::parts && row + part * Finished::lines < lines; ++part) {
          put_floats<2>(results, 0, [&](int block, int r, int c) {
            return part == 0 ? sums[0][block][2 * r + c] : sums[1][block][2 * r + c];
          });
          __syncwarp();
          epilogue.template store_finished<Finished>(results, first + row + part * Finished::lines);
          __syncwarp();
        }
      });
    }
  }

 private:
  // Calls visit(row, sums) for every 32 lines, which begin with `row`, when all lanes have read what that is formed of.
  template <class Visit>
  __device__ void for_sums(std::uint32_t tile, std::int64_t first, int lines, const Visit& visit) const {
#pragma unroll 1
    for (int row = 0; row < lines; row += Config::lines_once) {
      Sums sums = {};
      multiply(tile, row, sums);
      scale(first + row, sums);
      if constexpr (Config::are_in_place) __syncwarp();
      visit(row, sums);
    }
  }

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
      ptx::load_vector(bias_ + (block * 8 + lane_ % 4 * 2) * 4, bias);
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

  // Rounds results, and puts them where C lies in memory.
  __device__ void put_rounded(std::uint32_t results, int row, const Sums& sums) const {
    Pairs pairs;
    is_activation<Relu>(p_.activation) ? round<true>(sums, pairs) : round<false>(sums, pairs);
    const StreamImage<Config, stores_packed> image(p_.C);
    const std::uint32_t lines = results + row * image.line() * 2;
    if (has_pairs_) {
      put_pairs<2, eighths>(image, lines, [&](std::uint32_t at, int block, int r) {
        ptx::store_element(at, pairs[r / 2][block][r % 2]);
      });
    } else {
      put_elements<2, eighths>(image, lines, [&](std::uint32_t at, int block, int r, int c) {
        ptx::store_element(at, static_cast<std::uint16_t>(pairs[r / 2][block][r % 2] >> 16 * c));
      });
    }
  }
  template <bool relu>
  __device__ static void round(const Sums& sums, Pairs& pairs) {
#pragma unroll
    for (int part = 0; part < Left::parts; ++part)
#pragma unroll
      for (int block = 0; block < Config::blocks; ++block)
#pragma unroll
        for (int r = 0; r < 2; ++r)
          pairs[part][block][r] = rounded<relu>(Input(), sums[part][block][2 * r], sums[part][block][2 * r + 1]);
  }

  // Puts sum(block, r, c) of column c of a lane's pairs as floats there, from line `row` on.
  template <int rows, class Sum>
  __device__ void put_floats(std::uint32_t results, int row, const Sum& sum) const {
    const StreamImage<Finished, stores_packed> image(p_.C);
    const std::uint32_t lines = results + row * image.line() * 4;
    if (has_pairs_) {
      put_pairs<4, rows>(image, lines, [&](std::uint32_t at, int block, int r) {
        ptx::store_pair(at, sum(block, r, 0), sum(block, r, 1));
      });
    } else {
      put_elements<4, rows>(
          image, lines, [&](std::uint32_t at, int block, int r, int c) { ptx::store_element(at, sum(block, r, c)); });
    }
  }

  // A lane has pairs of neighbouring columns of `rows` lines, each 8 behind the last one: put(where a pair lies, its
  // block of columns, its line).
  template <int size, int rows, class Image, class Put>
  __device__ void put_pairs(const Image& image, std::uint32_t lines, const Put& put) const {
    const std::uint32_t first = lines + lane_ / 4 * image.line() * size, apart = 8 * image.line() * size;
#pragma unroll
    for (int block = 0; block < Config::blocks; ++block) {
      const int column = block * 8 + lane_ % 4 * 2;
      if (column >= p_.C.columns) return;
      const std::uint32_t at = first + image.column(column) * size;
#pragma unroll
      for (int r = 0; r < rows; ++r) put(image.place(at + r * apart), block, r);
    }
  }
  // The same of each element of a pair: put(where, block, line, which).
  template <int size, int rows, class Image, class Put>
  __device__ void put_elements(const Image& image, std::uint32_t lines, const Put& put) const {
    const std::uint32_t first = lines + lane_ / 4 * image.line() * size, apart = 8 * image.line() * size;
#pragma unroll
    for (int block = 0; block < Config::blocks; ++block) {
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const int column = block * 8 + lane_ % 4 * 2 + c;
        if (column >= p_.C.columns) return;
        const std::uint32_t at = first + image.column(column) * size;
#pragma unroll
        for (int r = 0; r < rows; ++r) put(at + r * apart, block, r, c);
      }
    }
  }

  const Arguments& p_;
  Left left_;
  bool has_pairs_;  // neighbouring results of a lane lie behind each other, at a multiple of the size of both
  std::uint32_t results_, held_, bias_;
  int lane_;
};

}  // namespace Tegula::Impl

#endif
