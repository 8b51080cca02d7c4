// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_EPILOGUE_CUH
#define TEGULA_MMA_EPILOGUE_CUH

#include "../Tegula_ApproximateActivation.cuh"
#include "../Tegula_CudaOutput.hpp"
#include "../Tegula_CudaPairs.cuh"
#include "../Tegula_OutputSlope.hpp"
#include "../Tegula_UnalignedLines.hpp"
#include "../ptx/Tegula_PtxMma.cuh"
#include "Tegula_MmaFragments.cuh"
#include "Tegula_MmaRun.cuh"

/// The sums of a warp go from registers to memory, a block of 32 x 32 at a time.

namespace Tegula::Impl {

/// What a kernel does with sums: C = act(alpha sum + beta C + bias), Z the argument of act; or, with a layer below,
/// C = (alpha sum + beta C) act'(saved). With split-k, C is the
/// first slice of partial sums, the next slice lies `slice_bytes` behind it, and nothing else is done.
template <class Sum, class Activation = ActivationChoice>
struct MmaEpilogueParameters {
  std::int32_t m, n;
  CudaOutput C, Z;
  AnyMatrix bias;
  Activation activation;
  Sum alpha, beta;
  std::int64_t slice_bytes;
  CudaOutput saved_below{};  // read as results are stored
  OutputSlope<Sum> slope_below{};

  /// Whether the epilogue is alpha sum + bias, with or without relu.
  __device__ bool is_plain() const {
    return Z.by == StoreBy::nobody && beta == 0 && slope_below.is_one &&
           (is_activation<Identity>(activation) || is_activation<Relu>(activation));
  }

  /// Whether results go to memory by way of scratch.
  __device__ bool needs_scratch() const { return C.goes_by_scratch() || Z.goes_by_scratch(); }
};

/// The epilogue of a warp whose first sum is that of (row0, column0). It may use `scratch_bytes` of scratch.
template <class Config, class Input, class Activation>
class MmaEpilogue {
  // A thread's part of a block: what ptx::multiply_add gives it of 2 x 4 blocks of 16 x 8.
  using Values = float[2][4][4];

 public:
  static constexpr int scratch_bytes = 32 * 32 * int(sizeof(float));

  __device__ MmaEpilogue(const MmaEpilogueParameters<float, Activation>& parameters, const float* bias, char* scratch,
                         int split, std::int32_t row0, std::int32_t column0, int lane)
      : p_(parameters), C_(parameters.C), bias_(bias), scratch_(scratch), row0_(row0), column0_(column0), lane_(lane) {
    C_.matrix.data = static_cast<char*>(C_.matrix.data) + split * parameters.slice_bytes;
  }

  __device__ void store(const MmaSums<Config>& sums) const {
    if constexpr (may_be_half) {
      const bool relu = is_activation<Relu>(p_.activation);
      if (!C_.is_by_runs() || !p_.is_plain()) return store_otherwise(sums);
      if (C_.by == StoreBy::rows) {
        relu ? store_plain<false, true>(sums) : store_plain<false, false>(sums);
      } else {
        relu ? store_plain<true, true>(sums) : store_plain<true, false>(sums);
      }
    } else {
      if (C_.by != StoreBy::pairs || !p_.is_plain()) return store_blocks(sums);
      is_activation<Relu>(p_.activation) ? store_plain_pairs<true>(sums) : store_plain_pairs<false>(sums);
    }
  }

 private:
  static constexpr bool may_be_half = sizeof(Input) == 2;  // results; only those leave in runs (cuda_output)

  static constexpr int parts  = Config::warp_n / 32;  // blocks side by side
  static constexpr int blocks = Config::warp_m / 32 * parts;

  // Results of 16 bits that do not leave in runs, or by another epilogue than the usual one.
  __device__ void store_otherwise(const MmaSums<Config>& sums) const {
    if (!p_.is_plain() || !C_.goes_by_scratch() || element_bytes(C_.matrix.element) != 2) return store_blocks(sums);
    const bool relu = is_activation<Relu>(p_.activation);
    if (C_.by == StoreBy::unaligned_rows) {
      relu ? store_plain_lines<false, true>(sums) : store_plain_lines<false, false>(sums);
    } else {
      relu ? store_plain_lines<true, true>(sums) : store_plain_lines<true, false>(sums);
    }
  }

  // The usual epilogue.
  template <bool by_columns, bool relu>
  __device__ void store_plain(const MmaSums<Config>& sums) const {
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      const Bias bias = load_bias(part);
#pragma unroll
      for (int i = 0; i < Config::warp_m / 32; ++i)
        store_runs<by_columns, relu>(C_.matrix, row0_ + i * 32, column0_ + part * 32, [&](int r, int c, int e) {
          return p_.alpha * sums[2 * i + r / 2][4 * part + c][r % 2 * 2 + e] + bias(c, e);
        });
    }
  }

  // The same of lines that begin anywhere. The loop is not unrolled, so that the code that stores is there once.
  template <bool by_columns, bool relu>
  __device__ void store_plain_lines(const MmaSums<Config>& sums) const {
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      const int part      = block % parts;
      const Bias bias     = load_bias(part);
      const auto put_sums = [&](const auto& put) {
#pragma unroll
        for (int b = 0; b < blocks; ++b)
          if (b == block)
            put([&](int r, int c, int e) {
              return p_.alpha * sums[b / parts * 2 + r / 2][b % parts * 4 + c][r % 2 * 2 + e] + bias(c, e);
            });
      };
      store_lines<2, by_columns, relu>(C_, row0_ + block / parts * 32, column0_ + part * 32, put_sums);
    }
  }

  // The same for results of float. Pairs of four lanes are whole sectors of memory, so that lanes exchange nothing.
  template <bool relu>
  __device__ void store_plain_pairs(const MmaSums<Config>& sums) const {
    const auto result = [](float value) { return relu ? Relu()(value) : value; };
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      const Bias bias           = load_bias(part);
      const std::int32_t column = column0_ + part * 32 + lane_ % 4 * 2;
#pragma unroll
      for (int i = 0; i < Config::warp_m / 8; ++i) {
        const std::int32_t row = row0_ + i * 8 + lane_ / 4;
        if (row >= p_.m) continue;
        float* const line = static_cast<float*>(C_.matrix.data) + row * C_.matrix.row_stride + column;
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          const float* const pair = sums[i / 2][4 * part + c] + i % 2 * 2;
          const float2 results{result(p_.alpha * pair[0] + bias(c, 0)), result(p_.alpha * pair[1] + bias(c, 1))};
          if (column + c * 8 + 1 < p_.n) {
            *reinterpret_cast<float2*>(line + c * 8) = results;
          } else if (column + c * 8 < p_.n) {
            line[c * 8] = results.x;
          }
        }
      }
    }
  }

  // Any epilogue. The loop is not unrolled: the instructions of all blocks would not fit the instruction cache, nor
  // their addresses the registers.
  __device__ void store_blocks(const MmaSums<Config>& sums) const {
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      Values values;
      pick(sums, block, values);
      store_block(block, values);
    }
  }

  // values = alpha times the sums of a block. Sums stay in their registers, so that every block needs code of its own.
  __device__ void pick(const MmaSums<Config>& sums, int block, Values& values) const {
#pragma unroll
    for (int b = 0; b < blocks; ++b) {
      if (block != b) continue;
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
          for (int e = 0; e < 4; ++e) values[i][j][e] = p_.alpha * sums[b / parts * 2 + i][b % parts * 4 + j][e];
    }
  }

  __device__ void store_block(int block, Values& values) const {
    const std::int32_t row0 = row0_ + block / parts * 32, column0 = column0_ + block % parts * 32;
    combine(row0, column0, values);
    if (p_.bias.data != nullptr) add_bias(block % parts, values);
    if (p_.Z.by != StoreBy::nobody) store_to(p_.Z, row0, column0, values);
    activate_all(values);
    store_to(C_, row0, column0, values);
  }

  // Results of products of floats are as exact as those of other families for float.
  __device__ void activate_all(Values& values) const {
    if constexpr (may_be_half) {
      activate<Input>(p_.activation, C_.matrix.element,
                      [&](const auto& act) { for_each(values, [&](int, int, float& value) { act(value); }); });
    } else {
      with_activation<float>(p_.activation, [&](const auto& activation) {
        for_each(values, [&](int, int, float& value) { value = activation(value); });
      });
    }
  }

  // Calls function(row in the block, column in the block, value) for every value that this thread has.
  template <class Function>
  __device__ void for_each(Values& values, const Function& function) const {
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int c = 0; c < 4; ++c)
#pragma unroll
        for (int e = 0; e < 2; ++e) function(r * 8 + lane_ / 4, c * 8 + lane_ % 4 * 2 + e, pair_of(values, r, c)[e]);
  }

  // This thread's neighbours in a row of the 8 x 8 sums at (8 r, 8 c) of a block.
  __device__ static float* pair_of(Values& values, int r, int c) { return values[r / 2][c] + r % 2 * 2; }

  // A thread's part of the bias of a block.
  struct Bias {
    float2 of[4];

    __device__ float operator()(int c, int e) const { return e == 0 ? of[c].x : of[c].y; }
  };

  __device__ Bias load_bias(int part) const {
    Bias bias{};
    if (p_.bias.data == nullptr) return bias;
#pragma unroll
    for (int c = 0; c < 4; ++c)
      bias.of[c] = *reinterpret_cast<const float2*>(bias_ + part * 32 + c * 8 + lane_ % 4 * 2);
    return bias;
  }

  __device__ void add_bias(int part, Values& values) const {
    const Bias bias = load_bias(part);
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int c = 0; c < 4; ++c)
#pragma unroll
        for (int e = 0; e < 2; ++e) pair_of(values, r, c)[e] += bias(c, e);
  }

  // values += beta C, and values *= act'(saved of the layer below), which has neither bias nor activation. One code for
  // both takes fewer registers.
  __device__ void combine(std::int32_t row0, std::int32_t column0, Values& values) const {
#pragma unroll 1
    for (int step = 0; step < 2; ++step) {
      const bool adds = step == 0;
      if (adds ? p_.beta == 0 : p_.slope_below.is_one) continue;
      // A copy of what was passed: an address of C_ would have that in local memory, also for the usual epilogue.
      CudaOutput from = p_.saved_below;
      if (adds) from = p_.C;
      change(from, row0, column0, values, [&](float& value, float other) {
        value = adds ? value + p_.beta * other : value * p_.slope_below(other);
      });
    }
  }

  // Calls function(value, element of a matrix) for every value that this thread has.
  template <class Function>
  __device__ void change(const CudaOutput& from, std::int32_t row0, std::int32_t column0, Values& values,
                         const Function& function) const {
    if constexpr (may_be_half) {
      if (from.by == StoreBy::rows) return change_by_runs<false>(from.matrix, row0, column0, values, function);
      if (from.by == StoreBy::columns) return change_by_runs<true>(from.matrix, row0, column0, values, function);
    }
    for_each(values, [&](int i, int j, float& value) {
      if (row0 + i < p_.m && column0 + j < p_.n) function(value, load<float>(from.matrix, row0 + i, column0 + j));
    });
  }

  __device__ void store_to(const CudaOutput& output, std::int32_t row0, std::int32_t column0, Values& values) const {
    if constexpr (may_be_half) {
      const auto value = [&](int r, int c, int e) { return pair_of(values, r, c)[e]; };
      if (output.by == StoreBy::rows) return store_runs<false, false>(output.matrix, row0, column0, value);
      if (output.by == StoreBy::columns) return store_runs<true, false>(output.matrix, row0, column0, value);
    }
    if (!output.goes_by_scratch()) return store_by_threads(output, row0, column0, values);
    if constexpr (may_be_half) {
      if (output.by == StoreBy::unaligned_columns) return store_unaligned<2, true>(output, row0, column0, values);
      if (element_bytes(output.matrix.element) == 2) return store_unaligned<2, false>(output, row0, column0, values);
    }
    store_unaligned<4, false>(output, row0, column0, values);
  }

  template <int Bytes, bool by_columns>
  __device__ void store_unaligned(const CudaOutput& output, std::int32_t row0, std::int32_t column0,
                                  Values& values) const {
    store_lines<Bytes, by_columns, false>(output, row0, column0, [&](const auto& put) {
      put([&](int r, int c, int e) { return pair_of(values, r, c)[e]; });
    });
  }

  // A lane's pairs are neighbours in a row. Where lines are columns, blocks of 8 x 8 are transposed before.
  // put_values(put) calls put(value), with the block's values as store_runs takes them.
  template <int Bytes, bool by_columns, bool relu, class PutValues>
  __device__ void store_lines(const CudaOutput& output, std::int32_t row0, std::int32_t column0,
                              const PutValues& put_values) const {
    using Lines = UnalignedLines<Bytes, 32>;
    const Lines lines(scratch_, memory_lines<typename Lines::Bits>(output, p_.m, p_.n, row0, column0));
    __syncwarp();  // the block before has been read
    put_values([&](const auto& value) {
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c)
          lines.put((by_columns ? c : r) * 8, lane_ / 4, (by_columns ? r : c) * 8, lane_ % 4,
                    bits_of<Bytes, by_columns, relu>(value(r, c, 0), value(r, c, 1)));
    });
    __syncwarp();
    lines.template store<32>(0, lane_);
  }

  template <int Bytes, bool by_columns, bool relu>
  __device__ static bits_of_pair_t<Bytes> bits_of(float first, float second) {
    if constexpr (Bytes == 4) {
      return {{__float_as_uint(first), __float_as_uint(second)}};
    } else {
      const std::uint32_t word = rounded<relu>(Input(), first, second);
      return by_columns ? ptx::transposed_matrix(word) : word;
    }
  }

  __device__ void store_by_threads(const CudaOutput& output, std::int32_t row0, std::int32_t column0,
                                   Values& values) const {
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const std::int32_t row = row0 + r * 8 + lane_ / 4, column = column0 + c * 8 + lane_ % 4 * 2;
        if (row >= p_.m || column >= p_.n) continue;
        const float* pair = pair_of(values, r, c);
        if (output.by == StoreBy::pairs && column + 1 < p_.n) {
          store_pair(output.matrix, row, column, pair[0], pair[1]);
        } else {
          Impl::store(output.matrix, row, column, pair[0]);
          if (column + 1 < p_.n) Impl::store(output.matrix, row, column + 1, pair[1]);
        }
      }
  }

  // Four lanes have two neighbours each of 8 sums in a row. They exchange those of four such rows, so that each lane
  // has one row. Where runs go along the columns, blocks of 8 x 8 are transposed before. value(r, c, e) is neighbour e
  // in the 8 x 8 sums at (8 r, 8 c).
  template <bool by_columns, bool relu, class Value>
  __device__ void store_runs(const AnyMatrix& matrix, std::int32_t row0, std::int32_t column0,
                             const Value& value) const {
#pragma unroll
    for (int line = 0; line < 4; ++line) {
      std::uint32_t words[4];
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        const int r = by_columns ? w : line, c = by_columns ? line : w;
        const std::uint32_t word = rounded<relu>(Input(), value(r, c, 0), value(r, c, 1));
        words[w]                 = by_columns ? ptx::transposed_matrix(word) : word;
      }
      transpose_among_four(words, lane_);
      run<by_columns>(matrix, row0, column0, line).store(words);
    }
  }

  // The same exchange in the other direction.
  template <bool by_columns, class Function>
  __device__ void change_by_runs(const AnyMatrix& matrix, std::int32_t row0, std::int32_t column0, Values& values,
                                 const Function& function) const {
#pragma unroll
    for (int line = 0; line < 4; ++line) {
      std::uint32_t words[4] = {};
      run<by_columns>(matrix, row0, column0, line).load(words);
      transpose_among_four(words, lane_);
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        const std::uint32_t word = by_columns ? ptx::transposed_matrix(words[w]) : words[w];
        float* pair              = by_columns ? pair_of(values, w, line) : pair_of(values, line, w);
        function(pair[0], from_bits(element_of<Input>, word & 0xFFFF));
        function(pair[1], from_bits(element_of<Input>, word >> 16));
      }
    }
  }

  // This lane's run of the line-th 8 rows, or columns, of a block.
  template <bool by_columns>
  __device__ MmaRun run(const AnyMatrix& matrix, std::int32_t row0, std::int32_t column0, int line) const {
    const std::int32_t slow = (by_columns ? column0 : row0) + line * 8 + lane_ / 4,
                       fast = (by_columns ? row0 : column0) + lane_ % 4 * 8;
    const std::int32_t left = slow < (by_columns ? p_.n : p_.m) ? (by_columns ? p_.m : p_.n) - fast : 0;
    const std::int64_t at   = slow * (by_columns ? matrix.column_stride : matrix.row_stride) + fast;
    return {static_cast<std::uint16_t*>(matrix.data) + at, left < 8 ? left : 8};
  }

  const MmaEpilogueParameters<float, Activation>& p_;
  CudaOutput C_;
  const float* bias_;  // from the warp's first column on
  char* scratch_;
  std::int32_t row0_, column0_;
  int lane_;
};

}  // namespace Tegula::Impl

#endif
