// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_STORE_CUH
#define TEGULA_PANEL_STORE_CUH

#include "../ptx/Tegula_PtxGlobal.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "Tegula_Activation.hpp"
#include "Tegula_PanelArguments.cuh"
#include "Tegula_PanelProduct.cuh"

/// Sums of a warp go to scratch, and from there TMA stores them. Stores by threads would pass through the pipe that
/// brings fragments to the warps that multiply, and each would write half a line of memory.

namespace Tegula::Impl {

/// `adds`: beta is not 0. Reading C takes registers, which kernels that do not read it should not lack.
template <bool adds>
class PanelStore {
  static constexpr int blocks = PanelConfig::warp_m / PanelConfig::staged_rows, columns = PanelConfig::warp_n / 8;

 public:
  /// `bias` is the bias of the warp's columns, in scratch.
  __device__ PanelStore(const PanelArguments& arguments, std::uint32_t staged, std::uint32_t bias, int lane)
      : p_(arguments),
        staged_(staged),
        bias_(bias + lane % 4 * int(sizeof(double2))),
        to_(staged + lane / 4 * PanelConfig::staged_row_bytes + lane % 4 * int(sizeof(double2))),
        lane_(lane) {}

  /// Prefetches C, if it is added.
  __device__ void prefetch(std::int32_t row, std::int32_t column) const {
    if (!adds || row + lane_ >= p_.result.m) return;
    constexpr int line = 128 / int(sizeof(double));
#pragma unroll
    for (int at = 0; at < PanelConfig::warp_n; at += line)
      if (column + at < p_.result.n) ptx::prefetch_line(p_.result.C.at(row + lane_, column + at));
  }

  /// C = act(alpha sums + beta C + bias); (row, column) is the place of the first sum.
  __device__ void operator()(const PanelSums& sums, std::int32_t row, std::int32_t column) const {
    is_activation<Relu>(p_.result.activation) ? store<true>(sums, row, column) : store<false>(sums, row, column);
  }

  /// Returns when scratch may be released.
  __device__ void finish() const { ptx::wait_stores_read<0>(); }

 private:
  // The lane's pairs of C in a block.
  using Pairs = double2[columns];

  template <bool relu>
  __device__ void store(const PanelSums& sums, std::int32_t row, std::int32_t column) const {
#pragma unroll
    for (int block = 0; block < blocks; ++block) {
      Pairs old = {};
      if constexpr (adds) read(row + block * PanelConfig::staged_rows, column, old);
      const double bias = bias_of_row(row + block * PanelConfig::staged_rows + lane_ / 4);
      const auto value  = [&](int j) {
        const double* pair = sums[block / 2][j] + block % 2 * 2;
        double z[2]        = {bias, bias};
        if (has_common_bias()) ptx::load_vector(bias_ + j * 64, z);
        if constexpr (adds) {
          z[0] = ::fma(p_.result.beta, old[j].x, z[0]);
          z[1] = ::fma(p_.result.beta, old[j].y, z[1]);
        }
#pragma unroll
        for (int e = 0; e < 2; ++e) z[e] = ::fma(p_.result.alpha, pair[e], z[e]);
        return relu ? double2{Relu()(z[0]), Relu()(z[1])} : double2{z[0], z[1]};
      };
      ptx::wait_stores_read<0>();
      __syncwarp();
#pragma unroll
      for (int j = 0; j < columns; j += 2) stage(j, value(j), value(j + 1));
      ptx::shared_to_tma_fence();
      __syncwarp();
      if (lane_ == 0) {
        ptx::store_box(p_.C, staged_, column, row + block * PanelConfig::staged_rows);
        ptx::commit_stores();
      }
    }
  }

  __device__ void read(std::int32_t row, std::int32_t column, Pairs& pairs) const {
    const std::int32_t i = row + lane_ / 4, first = column + lane_ % 4 * 2;
    const double2* const from = reinterpret_cast<const double2*>(p_.result.C.at(i, first));
#pragma unroll
    for (int j = 0; j < columns; ++j)
      if (i < p_.result.m && first + j * 8 < p_.result.n) pairs[j] = from[4 * j];
  }

  // Two neighbouring blocks of 8 columns. Lanes of odd rows take the second one first, so that the lanes that write at
  // the same time, two rows of four, find different banks.
  __device__ void stage(int j, const double2& first, const double2& second) const {
    const bool is_odd = lane_ / 4 % 2 != 0;
    const double2 one = is_odd ? second : first, other = is_odd ? first : second;
    const std::uint32_t block = to_ + j * 64;
    ptx::store_pair(block + (is_odd ? 64 : 0), one.x, one.y);
    ptx::store_pair(block + (is_odd ? 0 : 64), other.x, other.y);
  }

  // The bias is the same for all rows, or for all columns.
  __device__ bool has_common_bias() const { return p_.result.bias.data != nullptr && p_.result.bias.row_stride == 0; }
  __device__ double bias_of_row(std::int32_t row) const {
    const VectorMatrix<double>& bias = p_.result.bias;
    return bias.data == nullptr || has_common_bias() || row >= p_.result.m ? 0 : *bias.at(row, 0);
  }

  const PanelArguments& p_;
  std::uint32_t staged_, bias_, to_;  // what the warp stages, the bias of the lane's first pair, where the pair goes
  int lane_;
};

}  // namespace Tegula::Impl

#endif
