// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_DOUBLE_EPILOGUE_CUH
#define TEGULA_MMA_DOUBLE_EPILOGUE_CUH

#include "Tegula_MmaEpilogue.cuh"

/// Sums in double go from registers to memory. A lane has two neighbours of a row, which are 16 bytes. Lanes 4 apart
/// have neighbours in a column, eight of which are whole sectors of memory. So lanes need not exchange anything for
/// either direction.

namespace Tegula::Impl {

template <class Config, class Activation>
class MmaEpilogue<Config, double, Activation> {
  static constexpr int blocks = Config::warp_m / 16, columns = Config::warp_n / 8;
  // A thread's part of a block of 16 rows.
  using Values = double[columns][4];

 public:
  static constexpr int scratch_bytes = 16 * Config::warp_n * int(sizeof(double));

  __device__ MmaEpilogue(const MmaEpilogueParameters<double, Activation>& parameters, const double* bias, char* scratch,
                         int split, std::int32_t row0, std::int32_t column0, int lane)
      : p_(parameters),
        C_(parameters.C),
        bias_(bias + lane % 4 * 2),
        scratch_(scratch),
        lane_(lane),
        row0_(row0),
        column0_(column0),
        row_(row0 + lane / 4),
        column_(column0 + lane % 4 * 2) {
    C_.matrix.data = static_cast<char*>(C_.matrix.data) + split * parameters.slice_bytes;
  }

  __device__ void store(const MmaSums<Config>& sums) const {
    if (C_.by != StoreBy::pairs || !is_whole() || !p_.is_plain()) return store_blocks(sums);
    is_activation<Relu>(p_.activation) ? store_plain<true>(sums) : store_plain<false>(sums);
  }

 private:
  // Whether all rows of the warp lie within the result, and every block of 8 columns lies within it or outside, whole.
  __device__ bool is_whole() const { return row0_ + Config::warp_m <= p_.m && p_.n % 8 == 0; }

  // The usual epilogue.
  template <bool relu>
  __device__ void store_plain(const MmaSums<Config>& sums) const {
    double2 bias[columns];
#pragma unroll
    for (int j = 0; j < columns; ++j) bias[j] = load_bias(j);
#pragma unroll
    for (int i = 0; i < 2 * blocks; ++i) {
      double2* const line = reinterpret_cast<double2*>(place(C_.matrix, i));
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        const double* pair = sums[i / 2][j] + i % 2 * 2;
        const double2 value{p_.alpha * pair[0] + bias[j].x, p_.alpha * pair[1] + bias[j].y};
        if (column0_ + j * 8 < p_.n) line[4 * j] = relu ? double2{Relu()(value.x), Relu()(value.y)} : value;
      }
    }
  }

  // Any epilogue. The loop is not unrolled: the instructions of all blocks would not fit the instruction cache.
  __device__ void store_blocks(const MmaSums<Config>& sums) const {
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      Values values;
      pick(sums, block, values);
      combine(block, values);
      add_bias(values);
      if (p_.Z.by != StoreBy::nobody) store_to(p_.Z, block, values);
      with_activation<double>(p_.activation, [&](const auto& activation) {
        for_each([&](int j, int e) { values[j][e] = activation(values[j][e]); });
      });
      store_to(C_, block, values);
    }
  }

  // values = alpha times the sums of a block. Sums stay in their registers, so that every block needs code of its own.
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

  // The place of the thread's first element in the i-th 8 rows of the warp.
  __device__ double* place(const AnyMatrix& matrix, int i) const {
    return static_cast<double*>(matrix.data) + (row_ + i * 8) * matrix.row_stride + column_ * matrix.column_stride;
  }

  // For every pair of neighbours of a block whose first element lies within the matrix: calls function(pair of values,
  // place of the first, whether the second lies within it, too).
  template <class Function>
  __device__ void for_each_pair(const AnyMatrix& matrix, int block, Values& values, const Function& function) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (row_ + block * 16 + half * 8 >= p_.m) continue;
      double* const line = place(matrix, 2 * block + half);
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        const std::int32_t left = p_.n - column_ - j * 8;
        if (left > 0) function(values[j] + 2 * half, line + j * 8 * matrix.column_stride, left > 1);
      }
    }
  }

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

  // values += beta C, and values *= act'(saved of the layer below), by one code, which takes fewer registers.
  __device__ void combine(int block, Values& values) const {
#pragma unroll 1
    for (int step = 0; step < 2; ++step) {
      const bool adds = step == 0;
      if (adds ? p_.beta == 0 : p_.slope_below.is_one) continue;
      // By value: an address of C_ would have it in local memory, also for the usual epilogue.
      CudaOutput from = p_.saved_below;
      if (adds) from = C_;
      Values other = {};
      read(from, block, other);
      for_each([&](int j, int e) {
        values[j][e] = adds ? values[j][e] + p_.beta * other[j][e] : values[j][e] * p_.slope_below(other[j][e]);
      });
    }
  }

  // The whole block of a matrix, before the first element is used.
  __device__ void read(const CudaOutput& matrix, int block, Values& values) const {
    for_each_pair(matrix.matrix, block, values, [&](double* pair, const double* from, bool has_next) {
      if (matrix.by == StoreBy::pairs && has_next) {
        const double2 both = *reinterpret_cast<const double2*>(from);
        pair[0] = both.x, pair[1] = both.y;
      } else {
        pair[0] = from[0];
        if (has_next) pair[1] = from[matrix.matrix.column_stride];
      }
    });
  }

  __device__ void store_to(const CudaOutput& output, int block, Values& values) const {
    if (output.by == StoreBy::unaligned_rows) return store_unaligned(output, block, values);
    for_each_pair(output.matrix, block, values, [&](const double* pair, double* to, bool has_next) {
      if (output.by == StoreBy::pairs && has_next) {
        *reinterpret_cast<double2*>(to) = {pair[0], pair[1]};
      } else {
        to[0] = pair[0];
        if (has_next) to[output.matrix.column_stride] = pair[1];
      }
    });
  }

  __device__ void store_unaligned(const CudaOutput& output, int block, Values& values) const {
    using Lines = UnalignedLines<int(sizeof(double)), Config::warp_n>;
    const Lines lines(scratch_, memory_lines<typename Lines::Bits>(output, p_.m, p_.n, row0_ + block * 16, column0_));
    __syncwarp();  // the block before has been read
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        lines.put(half * 8, lane_ / 4, j * 8, lane_ % 4,
                  {{bits_of(values[j][2 * half]), bits_of(values[j][2 * half + 1])}});
    __syncwarp();
    lines.template store<16>(0, lane_);
  }

  __device__ static std::uint64_t bits_of(double value) {
    return static_cast<std::uint64_t>(__double_as_longlong(value));
  }

  const MmaEpilogueParameters<double, Activation>& p_;
  CudaOutput C_;
  const double* bias_;  // from the lane's first column on
  char* scratch_;
  int lane_;
  std::int32_t row0_, column0_;  // of the warp
  std::int32_t row_, column_;    // of the lane
};

}  // namespace Tegula::Impl

#endif
