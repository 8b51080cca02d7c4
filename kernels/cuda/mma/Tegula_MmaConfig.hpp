// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_CONFIG_HPP
#define TEGULA_MMA_CONFIG_HPP

#include <cstdint>

#include "../async/Tegula_AsyncConfig.hpp"

/// The tiles of the mma family.

namespace Tegula::Impl {

/// Of half_t and bhalf_t.
template <int TileM, int TileN, int TileK, int Stages, int WarpsM, int WarpsN, int Teams>
struct MmaConfig : AsyncConfig<std::uint16_t, float, TileM, TileN, TileK, Stages, WarpsM, WarpsN, Teams> {
  static_assert(TileM / WarpsM >= 32 && TileN / WarpsN >= 32, "results go out in blocks of 32 x 32");
};

/// Of double: PartK steps of depth are multiplied at once, of as many as a step of a tile has.
template <int TileM, int TileN, int TileK, int PartK, int Stages, int WarpsM, int WarpsN, int Teams, int WarpsK = 1>
struct MmaDoubleConfig : AsyncConfig<double, double, TileM, TileN, TileK, Stages, WarpsM, WarpsN, Teams, WarpsK> {
  static constexpr int part_quads = PartK / 4;  // an mma takes four steps, or a multiple
  static_assert(TileM / WarpsM >= 16 && TileN / WarpsN >= 8 && TileK % PartK == 0);
};

/// Of one size there are a tile that wants more than the 48 KiB that every team may have, and one that does not: with
/// longer steps fewer and longer pieces of rows are copied.
using MmaConfigs = AsyncConfigList<MmaConfig<128, 256, 32, 4, 2, 4, 1>, MmaConfig<128, 128, 64, 3, 2, 2, 2>,
                                   MmaConfig<128, 128, 16, 4, 2, 2, 2>, MmaConfig<128, 64, 64, 3, 2, 2, 2>,
                                   MmaConfig<128, 64, 32, 3, 2, 2, 3>, MmaConfig<64, 64, 64, 3, 2, 2, 4>,
                                   MmaConfig<64, 64, 32, 4, 2, 2, 4>>;

}  // namespace Tegula::Impl

#endif
