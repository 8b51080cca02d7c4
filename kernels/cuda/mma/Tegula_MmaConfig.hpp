// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_CONFIG_HPP
#define TEGULA_MMA_CONFIG_HPP

#include <cstdint>
#include <type_traits>

#include "../async/Tegula_AsyncConfig.hpp"

/// The tiles of the mma family.

namespace Tegula::Impl {

/// How both operands lie that a kernel fetches: in chunks, at least in words, anyhow, or in any of these ways.
enum class MmaOperandsIn { any, chunks, words, elements };

/// For F16 and Bf16. Each way to fetch operands has kernels of its own: in one for all, tiles of 64 x 64 keep values in
/// local memory, and calls take longer whichever way they run (perf_tests/README.md).
template <int TileM, int TileN, int TileK, int Stages, int WarpsM, int WarpsN, int Teams>
struct MmaConfig : AsyncConfig<std::uint16_t, float, TileM, TileN, TileK, Stages, WarpsM, WarpsN, Teams> {
  static constexpr bool has_wide = false, fetches_apart = true, splits = false;
  static_assert(TileM / WarpsM >= 32 && TileN / WarpsN >= 32, "results go out in blocks of 32 x 32");
};

/// There are two tiles of a size: one fits the 48 KiB of scratch that every team may have, the other one has longer
/// steps, so that it copies fewer and longer pieces of rows.
using MmaConfigs = ConfigList<MmaConfig<128, 256, 32, 4, 2, 4, 1>, MmaConfig<128, 128, 64, 3, 2, 2, 2>,
                              MmaConfig<128, 128, 16, 4, 2, 2, 2>, MmaConfig<128, 64, 64, 3, 2, 2, 2>,
                              MmaConfig<128, 64, 32, 3, 2, 2, 2>, MmaConfig<64, 64, 64, 3, 2, 2, 4>,
                              MmaConfig<64, 64, 32, 4, 2, 2, 4>>;

/// For double. PartK steps of depth are multiplied at once. With eight an mma writes its sums half as often, which
/// saves power but takes registers that copies of some operands need. So large tiles have a second, wide kernel, which
/// multiplies eight.
template <int TileM, int TileN, int TileK, int PartK, int Stages, int WarpsM, int WarpsN, int Teams, int WarpsK = 1>
struct MmaDoubleConfig : AsyncConfig<double, double, TileM, TileN, TileK, Stages, WarpsM, WarpsN, Teams, WarpsK> {
  static constexpr int part_k    = PartK;
  static constexpr bool has_wide = PartK == 4 && TileM == 128, fetches_apart = false, splits = false;
  static_assert(TileM / WarpsM >= 16 && TileN / WarpsN >= 8 && TileK % (8 * WarpsK) == 0 && 8 % PartK == 0);
};

/// For large products, for few tiles, whose warps share the depth, so that there are fewer steps to wait for, and for
/// few rows or few columns.
using MmaDoubleConfigs =
    ConfigList<MmaDoubleConfig<128, 128, 16, 4, 4, 2, 4, 1>, MmaDoubleConfig<128, 64, 16, 4, 4, 2, 2, 2>,
               MmaDoubleConfig<128, 64, 8, 8, 3, 2, 2, 2>, MmaDoubleConfig<64, 64, 16, 4, 4, 2, 2, 2>,
               MmaDoubleConfig<128, 32, 16, 8, 3, 4, 1, 3>, MmaDoubleConfig<32, 128, 16, 8, 3, 1, 4, 3>,
               MmaDoubleConfig<64, 32, 32, 8, 4, 2, 2, 2, 2>, MmaDoubleConfig<64, 32, 16, 8, 3, 2, 2, 4>,
               MmaDoubleConfig<32, 64, 16, 8, 3, 2, 2, 4>, MmaDoubleConfig<32, 32, 16, 8, 3, 2, 2, 5>,
               MmaDoubleConfig<32, 16, 16, 8, 3, 2, 1, 8>, MmaDoubleConfig<32, 32, 32, 8, 3, 2, 2, 2, 2>,
               MmaDoubleConfig<32, 16, 32, 8, 3, 2, 1, 4, 2>, MmaDoubleConfig<32, 16, 64, 8, 3, 2, 1, 2, 4>>;

/// For float, whose factors are rounded to TF32.
template <int TileM, int TileN, int TileK, int Stages, int WarpsM, int WarpsN, int Teams, int WarpsK = 1>
struct MmaTf32Config : AsyncConfig<float, float, TileM, TileN, TileK, Stages, WarpsM, WarpsN, Teams, WarpsK> {
  static constexpr bool has_wide = false, fetches_apart = false, splits = false;
  static_assert(TileM / WarpsM >= 32 && TileN / WarpsN >= 32, "results go out in blocks of 32 x 32");
};

/// For large products, for few rows or columns, and for few tiles, whose warps share the depth. Of two tiles of a size
/// one wants no more than 48 KiB, but for the largest.
using MmaTf32Configs = ConfigList<MmaTf32Config<128, 128, 32, 3, 2, 2, 2>, MmaTf32Config<128, 128, 16, 4, 2, 2, 2>,
                                  MmaTf32Config<128, 64, 32, 3, 2, 2, 3>, MmaTf32Config<128, 64, 16, 3, 2, 2, 3>,
                                  MmaTf32Config<64, 128, 16, 3, 2, 2, 3>, MmaTf32Config<64, 64, 32, 3, 2, 2, 4>,
                                  MmaTf32Config<64, 64, 16, 4, 2, 2, 4>, MmaTf32Config<64, 32, 32, 3, 2, 1, 4, 2>,
                                  MmaTf32Config<32, 64, 32, 3, 1, 2, 4, 2>, MmaTf32Config<32, 32, 32, 4, 1, 1, 4, 4>>;

/// For float, each factor in two parts of TF32 (Tegula_MmaFp32SplitMath.cuh).
template <int TileM, int TileN, int TileK, int Stages, int WarpsM, int WarpsN, int Teams, int WarpsK = 1>
struct MmaFp32SplitConfig : MmaTf32Config<TileM, TileN, TileK, Stages, WarpsM, WarpsN, Teams, WarpsK> {
  static constexpr bool splits = true;
};

/// As for TF32. Warps have no more sums than leave registers for parts of what they multiply.
using MmaFp32SplitConfigs =
    ConfigList<MmaFp32SplitConfig<128, 128, 16, 4, 2, 4, 1>, MmaFp32SplitConfig<128, 64, 16, 4, 2, 2, 2>,
               MmaFp32SplitConfig<64, 128, 16, 4, 1, 4, 2>, MmaFp32SplitConfig<64, 64, 32, 3, 2, 2, 3>,
               MmaFp32SplitConfig<64, 64, 16, 4, 2, 2, 3>, MmaFp32SplitConfig<64, 32, 32, 3, 2, 1, 3, 2>,
               MmaFp32SplitConfig<32, 64, 32, 3, 1, 2, 3, 2>, MmaFp32SplitConfig<32, 32, 64, 3, 1, 1, 3, 4>>;

template <class Input>
using MmaConfigsOf = std::conditional_t<std::is_same_v<Input, double>, MmaDoubleConfigs,
                                        std::conditional_t<std::is_same_v<Input, float>, MmaTf32Configs, MmaConfigs>>;

}  // namespace Tegula::Impl

#endif
