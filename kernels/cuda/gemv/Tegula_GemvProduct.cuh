// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMV_PRODUCT_CUH
#define TEGULA_GEMV_PRODUCT_CUH

#include "../Tegula_VectorEpilogue.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_GemvConfig.hpp"

/// What a lane multiplies, and how the sums of lanes are added.

namespace Tegula::Impl {

/// The sums of a lane: all lines of the short operand times the lines of the long operand that its warp or it has.
template <class Config>
using GemvSums = typename Config::element[Config::lines][Config::columns];

/// sums += a step whose depth runs along the lanes. `streamed` is the lane's part of the long operand, `held` its part
/// of the short one.
template <class Config>
__device__ inline void multiply_along_depth(std::uint32_t streamed, std::uint32_t held, GemvSums<Config>& sums) {
  using T = typename Config::element;
  T left[Config::rows][Config::unit];
#pragma unroll
  for (int row = 0; row < Config::rows; ++row) ptx::load_vector(streamed + row * Config::row_bytes, left[row]);
#pragma unroll
  for (int line = 0; line < Config::lines; ++line) {
    T right[Config::unit];
    ptx::load_vector(held + line * Config::row_bytes, right);
#pragma unroll
    for (int row = 0; row < Config::rows; ++row)
#pragma unroll
      for (int e = 0; e < Config::unit; ++e) sums[line][row] = ::fma(left[row][e], right[e], sums[line][row]);
  }
}

/// The same where lines run along the lanes. `held` is the warp's part of the short operand.
template <class Config>
__device__ inline void multiply_along_lines(std::uint32_t streamed, std::uint32_t held, GemvSums<Config>& sums) {
  using T = typename Config::element;
#pragma unroll
  for (int row = 0; row < Config::rows; ++row) {
    T left[Config::unit], right[Config::lines / Config::unit][Config::unit];
    ptx::load_vector(streamed + row * Config::row_bytes, left);
#pragma unroll
    for (int v = 0; v < Config::lines / Config::unit; ++v)
      ptx::load_vector(held + row * Config::lines * int(sizeof(T)) + v * 16, right[v]);
#pragma unroll
    for (int line = 0; line < Config::lines; ++line)
#pragma unroll
      for (int e = 0; e < Config::unit; ++e)
        sums[line][e] = ::fma(left[e], right[line / Config::unit][line % Config::unit], sums[line][e]);
  }
}

/// Adds `Count` values over all lanes of a warp. Lane l gets the totals from number l Count / 32 on: in every step
/// lanes that are `distance` apart exchange halves of what they still have.
template <int distance = 16, int Count, class T>
__device__ inline void add_lanes(T (&values)[Count]) {
  constexpr int left = Count / 32 * distance;
  const bool upper   = (threadIdx.y & distance) != 0;
#pragma unroll
  for (int v = 0; v < left; ++v) {
    const T other = __shfl_xor_sync(0xFFFFFFFFu, upper ? values[v] : values[v + left], distance);
    values[v]     = (upper ? values[v + left] : values[v]) + other;
  }
  if constexpr (distance > 1) add_lanes<distance / 2>(values);
}

/// The sums of a team in scratch: one part, or one for each warp.
template <class Config>
class GemvTotals {
  using T = typename Config::element;

 public:
  __device__ explicit GemvTotals(char* scratch) : sums_(reinterpret_cast<T*>(scratch)) {}

  /// Writes the sums of a lane. Where depth runs along the lanes, other lanes have parts of the same sums.
  __device__ void put(int warp, int lane, const GemvSums<Config>& sums) const {
    if constexpr (Config::by_lines) {
#pragma unroll
      for (int line = 0; line < Config::lines; ++line)
#pragma unroll
        for (int e = 0; e < Config::unit; ++e) *at(warp, line, lane * Config::unit + e) = sums[line][e];
    } else {
      put_total(warp, lane, sums);
    }
  }

  /// The sum of a line of the short operand and one of the long one, always added in the same order.
  __device__ T get(int held, int line) const {
    T total = *at(0, held, line);
#pragma unroll
    for (int part = 1; part < Config::parts; ++part) total += *at(part, held, line);
    return total;
  }

 private:
  __device__ void put_total(int warp, int lane, const GemvSums<Config>& sums) const {
    constexpr int count = Config::lines * Config::columns, own = count / 32;
    T values[count];
#pragma unroll
    for (int v = 0; v < count; ++v) values[v] = sums[v / Config::columns][v % Config::columns];
    add_lanes(values);
#pragma unroll
    for (int v = 0; v < own; ++v) {
      const int sum                                                                 = lane * own + v;
      *at(0, sum / Config::columns, warp * Config::columns + sum % Config::columns) = values[v];
    }
  }

  __device__ T* at(int part, int held, int line) const {
    return sums_ + (part * Config::lines + held) * Config::tile_lines + line;
  }

  T* sums_;
};

}  // namespace Tegula::Impl

#endif
