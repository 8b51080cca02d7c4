// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_FP32_SPLIT_MATH_CUH
#define TEGULA_MMA_FP32_SPLIT_MATH_CUH

#include "../Tegula_Fp32Parts.cuh"
#include "Tegula_MmaMath.cuh"

/// Products of floats in two parts of TF32 each (Fp32Parts). Lanes split what they have read from scratch.
///
/// Sums. Tensor cores form the products exactly, eight at a time, add them, and cut off what is below the last bit of a
/// float. They add twice for h h'; then that sum is added in float: k / 16 additions, not k as in a chain of fused
/// multiply-adds. What they cut off of the other products is smaller by 2^10.

namespace Tegula::Impl {

/// The Math of AsyncMainloop for floats in parts.
template <class Config, Major left_major, Major right_major, bool wide>
requires(Config::splits) class MmaMath<Config, float, left_major, right_major, wide> {
  static constexpr int rows = Config::warp_m / 16, columns = Config::warp_n / 8;
  static constexpr int steps   = 2;                          // of an mma, after which sums are added in float
  static constexpr int at_once = columns < 4 ? columns : 4;  // chains of mma: none waits for another

  using Parts = Fp32Parts;

 public:
  static constexpr int depth   = steps * mma_depth<float>;
  static constexpr int buffers = 1;

  using Sums = MmaSums<Config>;

  struct Fragments {
    MmaFragments<Config::warp_m> left[steps];
    MmaFragments<Config::warp_n> right[steps];
  };

  __device__ MmaMath(int warp, int lane) : operands_(warp, lane) {}

  __device__ void read(std::uint32_t stage, int part, Fragments& fragments) const {
#pragma unroll
    for (int s = 0; s < steps; ++s) operands_.read(stage, part * steps + s, fragments.left[s], fragments.right[s]);
  }

  template <class Function>
  __device__ void multiply_add(const Fragments& fragments, Sums& sums, std::uint32_t stage, int part, Fragments& next,
                               const Function& between) const {
    Parts right[steps][columns / 2];
#pragma unroll
    for (int s = 0; s < steps; ++s)
#pragma unroll
      for (int block = 0; block < columns / 2; ++block) right[s][block].split(fragments.right[s][block]);
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      Parts left[steps];
#pragma unroll
      for (int s = 0; s < steps; ++s) left[s].split(fragments.left[s][i]);
      if (i + 1 == rows) read(stage, part, next);
#pragma unroll
      for (int j = 0; j < columns; j += at_once) add_products(left, right, j, sums[i]);
      between(i, rows);
    }
  }

 private:
  __device__ static void add_products(const Parts (&left)[steps], const Parts (&right)[steps][columns / 2], int first,
                                      float (&sums)[columns][4]) {
    float chains[at_once][4] = {};
    const auto multiply      = [&](std::uint32_t(Parts::*of_left)[4], std::uint32_t(Parts::*of_right)[4]) {
#pragma unroll
      for (int s = 0; s < steps; ++s)
#pragma unroll
        for (int c = 0; c < at_once; ++c) {
          const int j         = first + c;
          const auto& factors = right[s][j / 2].*of_right;
          ptx::multiply_add(float(), chains[c], left[s].*of_left, factors[j % 2 * 2], factors[j % 2 * 2 + 1]);
        }
    };
    multiply(&Parts::low, &Parts::high);
    multiply(&Parts::high, &Parts::low);
#pragma unroll
    for (int c = 0; c < at_once; ++c)
#pragma unroll
      for (int e = 0; e < 4; ++e) chains[c][e] *= 1 / Parts::low_factor;
    multiply(&Parts::high, &Parts::high);
#pragma unroll
    for (int c = 0; c < at_once; ++c)
#pragma unroll
      for (int e = 0; e < 4; ++e) sums[first + c][e] += chains[c][e];
  }

  MmaOperands<Config, left_major, right_major> operands_;
};

/// Forms those sums of a warp again that are Inf or NaN, over steps [begin, end) of depth. The sums begin at (row0,
/// column0).
template <class Config>
__device__ inline void form_exactly(const AsyncOperand& left, const AsyncOperand& right, std::int32_t row0,
                                    std::int32_t column0, std::int32_t begin, std::int32_t end, int lane,
                                    MmaSums<Config>& sums) {
  constexpr int columns = Config::warp_n / 8, count = Config::warp_m / 16 * columns * 4;
  float* const all = &sums[0][0][0];
  float finite     = 0;
#pragma unroll
  for (int s = 0; s < count; ++s) finite = std::fma(all[s], 0.0f, finite);
  if (finite == 0) return;
  float values[count];  // in local memory: this is rare
#pragma unroll
  for (int s = 0; s < count; ++s) values[s] = all[s];
#pragma unroll 1
  for (int s = 0; s < count; ++s) {
    const std::int32_t row    = row0 + s / (4 * columns) * 16 + lane / 4 + s % 4 / 2 * 8,
                       column = column0 + s / 4 % columns * 8 + lane % 4 * 2 + s % 2;
    if (isfinite(values[s]) || row >= left.lines || column >= right.lines) continue;
    const float* x = static_cast<const float*>(left.data) + row * left.line_stride + begin * left.depth_stride;
    const float* y = static_cast<const float*>(right.data) + column * right.line_stride + begin * right.depth_stride;
    float sum      = 0;
#pragma unroll 1
    for (std::int32_t k = begin; k < end; ++k, x += left.depth_stride, y += right.depth_stride)
      sum = std::fma(*x, *y, sum);
    values[s] = sum;
  }
#pragma unroll
  for (int s = 0; s < count; ++s) all[s] = values[s];
}

}  // namespace Tegula::Impl

#endif
