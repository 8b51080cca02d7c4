// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_GRADIENT_CUH
#define TEGULA_TALL_GRADIENT_CUH

#include "../Tegula_CudaPairs.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_TallArguments.hpp"
#include "Tegula_TallLayout.hpp"

namespace Tegula::Impl {

/// A warp forms dZ in the place of dC in scratch, and sums its columns.
template <class Config, Major major>
class TallGradient {
  using T                   = typename Config::element;
  using Layout              = TallLayout<Config, major>;
  static constexpr int unit = Layout::unit;

 public:
  __device__ TallGradient(const TallArguments<T>& arguments, int lane) : p_(arguments), lane_(lane) {}

  /// `dC` and `saved` are the places of the tiles.
  __device__ void form(std::uint32_t dC, std::uint32_t saved) {
    if (p_.saved.data == nullptr && !p_.partial.has_dbias) return;
    with_derivative<T>(p_.activation, [&](const auto& derivative) {
#pragma unroll
      for (int pass = 0; pass < Layout::passes; ++pass) {
        const int offset = Layout::pass_offset(lane_, pass);
        T values[unit], at[unit] = {};
        ptx::load_vector(dC + offset, values);
        if (p_.saved.data != nullptr) ptx::load_vector(saved + offset, at);
#pragma unroll
        for (int e = 0; e < unit; ++e) {
          values[e] *= derivative(at[e]);
          totals_[Layout::along_rows ? e : pass] += values[e];
        }
        ptx::store_vector(dC + offset, values);
      }
    });
  }

  /// Writes the sums of all columns.
  __device__ void write(T* sums) {
    // Lanes with the same columns are `units` apart, or neighbours.
    constexpr int first = Layout::along_rows ? Layout::units : 1, last = Layout::along_rows ? 32 : Layout::units;
#pragma unroll
    for (T& total : totals_)
      for (int distance = first; distance < last; distance *= 2) total += __shfl_xor_sync(0xFFFFFFFFu, total, distance);
    if ((Layout::along_rows ? Layout::line(lane_) : Layout::at(lane_)) != 0) return;
#pragma unroll
    for (int t = 0; t < count; ++t)
      sums[Layout::along_rows ? Layout::at(lane_) + t : Layout::line(lane_) + t * Layout::pass_lines] = totals_[t];
  }

 private:
  static constexpr int count = Layout::along_rows ? unit : Layout::passes;

  const TallArguments<T>& p_;
  int lane_;
  T totals_[count] = {};
};

}  // namespace Tegula::Impl

#endif
