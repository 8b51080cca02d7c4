// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_EPILOGUE_CUH
#define TEGULA_MMA_EPILOGUE_CUH

#include "../Tegula_AnyElement.cuh"
#include "Tegula_MmaMainloop.cuh"

/// The sums of a warp on their way out, 16 rows at a time, from registers to memory.

namespace Tegula::Impl {

struct MmaOutput {
  AnyMatrix matrix;
  bool pairs = false;  // two neighbours of a row are stored at once
};

/// What a kernel does with sums: C = act(alpha sum + beta C + bias), Z the argument of act. With split-k C is the first
/// slice of partial sums, those of the next split lie `slice_bytes` behind, and nothing else is done.
struct MmaEpilogueParameters {
  std::int32_t m, n;
  MmaOutput C, Z;
  AnyMatrix bias;
  ActivationChoice activation;
  float alpha, beta;
  std::int64_t slice_bytes;
};

/// The epilogue of a warp whose first sum is that of (row0, column0). Sums are taken in blocks of 16 rows x Columns.
template <class Config>
class MmaEpilogue {
  static constexpr int columns = Config::warp_n < 32 ? Config::warp_n : 32;
  using Values                 = float[columns / 8][4];  // a thread's part of a block

 public:
  __device__ MmaEpilogue(const MmaEpilogueParameters& parameters, int split, std::int32_t row0, std::int32_t column0,
                         int lane)
      : p_(parameters), C_(parameters.C.matrix), row_(row0 + lane / 4), column_(column0 + lane % 4 * 2) {
    C_.data = static_cast<char*>(C_.data) + split * parameters.slice_bytes;
  }

  /// The loop stays a loop: all blocks side by side would be more instructions than the cache for them holds, and more
  /// addresses than there are registers.
  __device__ void store(const MmaSums<Config>& sums) const {
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      Values values;
      pick(sums, block, values);
      store_block(row_ + block / parts * 16, column_ + block % parts * columns, values);
    }
  }

 private:
  static constexpr int parts  = Config::warp_n / columns;  // blocks side by side
  static constexpr int blocks = Config::warp_m / 16 * parts;

  // values = alpha times the sums of a block. Sums stay in their registers, so every block has its own copy of this.
  __device__ void pick(const MmaSums<Config>& sums, int block, Values& values) const {
#pragma unroll
    for (int b = 0; b < blocks; ++b) {
      if (block != b) continue;
#pragma unroll
      for (int j = 0; j < columns / 8; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e) values[j][e] = p_.alpha * sums[b / parts][b % parts * (columns / 8) + j][e];
    }
  }

  // Calls function(row, column, value) for what this thread has of a block, within the matrix.
  template <class Function>
  __device__ void for_each(std::int32_t row, std::int32_t column, Values& values, const Function& function) const {
#pragma unroll
    for (int j = 0; j < columns / 8; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const std::int32_t at_row = row + e / 2 * 8, at_column = column + j * 8 + e % 2;
        if (at_row < p_.m && at_column < p_.n) function(at_row, at_column, values[j][e]);
      }
  }

  __device__ void store_block(std::int32_t row, std::int32_t column, Values& values) const {
    if (p_.beta != 0) {
      for_each(row, column, values,
               [&](std::int32_t i, std::int32_t j, float& value) { value += p_.beta * load(C_, i, j); });
    }
    if (p_.bias.data != nullptr) add_bias(column, values);
    if (p_.Z.matrix.data != nullptr) store_to(p_.Z.matrix, p_.Z.pairs, row, column, values);
    with_activation(p_.activation, [&](const auto& activation) {
#pragma unroll
      for (auto& pair : values)
#pragma unroll
        for (float& value : pair) value = activation(value);
    });
    store_to(C_, p_.C.pairs, row, column, values);
  }

  __device__ void add_bias(std::int32_t column, Values& values) const {
#pragma unroll
    for (int j = 0; j < columns / 8; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const std::int32_t at = column + j * 8 + e;
        if (at >= p_.n) continue;
        const float bias = from_bits(p_.bias.element, load_bits(p_.bias, at));
        values[j][e] += bias;
        values[j][e + 2] += bias;
      }
  }

  __device__ void store_to(const AnyMatrix& matrix, bool pairs, std::int32_t row, std::int32_t column,
                           const Values& values) const {
#pragma unroll
    for (int j = 0; j < columns / 8; ++j)
#pragma unroll
      for (int e = 0; e < 4; e += 2) {
        const std::int32_t i = row + e / 2 * 8, at = column + j * 8;
        if (i >= p_.m || at >= p_.n) continue;
        if (pairs && at + 1 < p_.n) {
          store_pair(matrix, i, at, values[j][e], values[j][e + 1]);
        } else {
          Impl::store(matrix, i, at, values[j][e]);
          if (at + 1 < p_.n) Impl::store(matrix, i, at + 1, values[j][e + 1]);
        }
      }
  }

  const MmaEpilogueParameters& p_;
  AnyMatrix C_;
  std::int32_t row_, column_;  // of the thread's first sum
};

}  // namespace Tegula::Impl

#endif
