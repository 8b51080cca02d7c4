// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_DOUBLE_EPILOGUE_CUH
#define TEGULA_MMA_DOUBLE_EPILOGUE_CUH

#include "Tegula_MmaEpilogue.cuh"

/// Sums in double on their way from registers to memory. A lane has two neighbours of a row, which are 16 bytes; lanes
/// 4 apart have neighbours in a column, eight of which are whole sectors of memory: either way there is nothing to
/// exchange.

namespace Tegula::Impl {

template <class Config>
class MmaEpilogue<Config, double> {
  static constexpr int blocks = Config::warp_m / 16, columns = Config::warp_n / 8;
  // A thread's part of a block of 16 rows.
  using Values = double[columns][4];

 public:
  __device__ MmaEpilogue(const MmaEpilogueParameters<double>& parameters, const double* bias, int split,
                         std::int32_t row0, std::int32_t column0, int lane)
      : p_(parameters),
        C_(parameters.C),
        bias_(bias + lane % 4 * 2),
        row_(row0 + lane / 4),
        column_(column0 + lane % 4 * 2) {
    C_.matrix.data = static_cast<char*>(C_.matrix.data) + split * parameters.slice_bytes;
  }

  __device__ void store(const MmaSums<Config>& sums) const {
    if (C_.by != StoreBy::pairs || !p_.is_plain()) return store_blocks(sums);
    is_activation<Relu>(p_.activation) ? store_plain<true>(sums) : store_plain<false>(sums);
  }

 private:
  // The usual epilogue.
  template <bool relu>
  __device__ void store_plain(const MmaSums<Config>& sums) const {
#pragma unroll
    for (int i = 0; i < blocks; ++i) {
      Values values;
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        const double2 bias = load_bias(j);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const double value = p_.alpha * sums[i][j][e] + (e % 2 == 0 ? bias.x : bias.y);
          values[j][e]       = relu ? Relu()(value) : value;
        }
      }
      store_to(C_, i, values);
    }
  }

  // Any epilogue. The loop stays a loop: all blocks one after the other would be more instructions than the cache for
  // them holds.
  __device__ void store_blocks(const MmaSums<Config>& sums) const {
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      Values values;
      pick(sums, block, values);
      if (p_.beta != 0) add_result(block, values);
      add_bias(values);
      if (p_.Z.by != StoreBy::nobody) store_to(p_.Z, block, values);
      with_activation<double>(p_.activation, [&](const auto& activation) {
        for_each([&](int j, int e) { values[j][e] = activation(values[j][e]); });
      });
      store_to(C_, block, values);
    }
  }

  // values = alpha times the sums of a block. Sums stay in their registers, so every block has its own copy of this.
  __device__ void pick(const MmaSums<Config>& sums, int block, Values& values) const {
#pragma unroll
    for (int b = 0; b < blocks; ++b)
      if (block == b) for_each([&](int j, int e) { values[j][e] = p_.alpha * sums[b][j][e]; });
  }

  template <class Function>
  __device__ static void for_each(const Function& function) {
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) function(j, e);
  }

  // Row and column of a value of a block.
  __device__ std::int32_t row(int block, int e) const { return row_ + block * 16 + e / 2 * 8; }
  __device__ std::int32_t column(int j, int e) const { return column_ + j * 8 + e % 2; }

  __device__ double2 load_bias(int j) const {
    if (p_.bias.data == nullptr) return {};
    return *reinterpret_cast<const double2*>(bias_ + j * 8);
  }

  __device__ void add_bias(Values& values) const {
#pragma unroll
    for (int j = 0; j < columns; ++j) {
      const double2 bias = load_bias(j);
#pragma unroll
      for (int e = 0; e < 4; ++e) values[j][e] += e % 2 == 0 ? bias.x : bias.y;
    }
  }

  // values += beta C.
  __device__ void add_result(int block, Values& values) const {
    for_each([&](int j, int e) {
      if (row(block, e) < p_.m && column(j, e) < p_.n)
        values[j][e] += p_.beta * load<double>(C_.matrix, row(block, e), column(j, e));
    });
  }

  __device__ void store_to(const TensorOutput& output, int block, const Values& values) const {
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int e = 0; e < 4; e += 2) {
        if (row(block, e) >= p_.m || column(j, e) >= p_.n) continue;
        const bool has_next = column(j, e) + 1 < p_.n;
        if (output.by == StoreBy::pairs && has_next) {
          store_pair(output.matrix, row(block, e), column(j, e), values[j][e], values[j][e + 1]);
        } else {
          Impl::store(output.matrix, row(block, e), column(j, e), values[j][e]);
          if (has_next) Impl::store(output.matrix, row(block, e), column(j, e) + 1, values[j][e + 1]);
        }
      }
  }

  const MmaEpilogueParameters<double>& p_;
  TensorOutput C_;
  const double* bias_;  // of the lane's first column
  std::int32_t row_, column_;
};

}  // namespace Tegula::Impl

#endif
