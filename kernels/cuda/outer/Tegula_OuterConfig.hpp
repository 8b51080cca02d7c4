// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_CONFIG_HPP
#define TEGULA_OUTER_CONFIG_HPP

#include <array>

#include "../Tegula_ConfigList.hpp"
#include "../Tegula_CudaCall.hpp"

/// The tiles of the outer family: what a lane, a warp and a team have of a product.

namespace Tegula::Impl {

/// Warps of a team, one below the other, and columns of a tile, of which every lane of every warp has a few.
inline constexpr int outer_warps_log2 = 2, outer_warps = 1 << outer_warps_log2, outer_threads = 32 * outer_warps,
                     outer_lane_columns = 4, outer_columns = 32 * outer_lane_columns;

/// Rows of which a warp forms sums at a time.
inline constexpr int outer_rows_at_once = 2;

/// Sums are of up to Depth products. Registers are for Teams teams a multiprocessor.
template <int Depth, int Teams>
struct OuterConfig {
  static constexpr int depth = Depth, teams = Teams;
  static constexpr int pitch = Depth + 4;  // sums of a row in scratch: rows begin at multiples of 16 bytes
};

/// By the type that sums are formed in: a lane has as many numbers of the right operand in registers as four columns
/// are deep.
template <class Sum>
struct OuterConfigsOf {
  using type = ConfigList<OuterConfig<8, 6>, OuterConfig<16, 4>, OuterConfig<32, 3>>;
};
template <>
struct OuterConfigsOf<double> {
  using type = ConfigList<OuterConfig<8, 4>, OuterConfig<16, 2>>;
};
template <class Sum>
using OuterConfigs = typename OuterConfigsOf<Sum>::type;

/// Rows of tiles: few for small results, many for large ones, so that columns are read less often.
inline constexpr std::array outer_rows{16, 32, 128};
inline constexpr int outer_most_rows = outer_rows.back();

/// Bytes of scratch for the rows of the left operand of a team, with a number more for each, and what aligns them.
inline constexpr int outer_alignment = 16;
template <class Config, class Sum>
constexpr int outer_used() {
  return outer_most_rows * (Config::pitch + 1) * static_cast<int>(sizeof(Sum));
}
template <class Config, class Sum>
constexpr int outer_scratch() {
  return outer_used<Config, Sum>() + outer_alignment;
}

}  // namespace Tegula::Impl

#endif
