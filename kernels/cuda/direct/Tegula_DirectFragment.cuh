// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_FRAGMENT_CUH
#define TEGULA_DIRECT_FRAGMENT_CUH

#include "../Tegula_CudaElement.cuh"
#include "Tegula_DirectConfig.hpp"

/// What a lane holds of an operand: `Lines` lines, `Depth` steps of depth of each.

namespace Tegula::Impl {

/// The lines of a lane: neighbours, where they are read in runs across lines, and as far apart as there are lanes side
/// by side otherwise, so that neighbouring lanes read neighbouring elements.
template <DirectRead by, int Lanes, int Lines>
__device__ constexpr int direct_line(int lane, int line) {
  return by == DirectRead::lines ? lane * Lines + line : lane + line * Lanes;
}

template <class Input, DirectRead by, int Lines, int Depth>
class DirectFragment {
  using Bits                        = bits_t<Input>;
  static constexpr bool along_depth = by == DirectRead::depth;
  static constexpr int run          = along_depth ? Depth : Lines;  // elements
  static constexpr int pack_bytes   = run * int(sizeof(Bits)) < 16 ? run * int(sizeof(Bits)) : 16;
  static constexpr int pack = pack_bytes / int(sizeof(Bits)), packs = run / pack, runs = along_depth ? Lines : Depth;

  struct alignas(pack_bytes) Pack {
    Bits of[pack];
  };

 public:
  /// Reads a chunk. `first` are the lane's lines at its first step of depth.
  __device__ void read(const Bits* const (&first)[Lines], std::int64_t offset, std::int64_t depth_stride) {
    if constexpr (by == DirectRead::elements) {
#pragma unroll
      for (int line = 0; line < Lines; ++line)
#pragma unroll
        for (int step = 0; step < Depth; ++step)
          elements_[line][step] = __ldg(first[line] + offset + step * depth_stride);
    } else {
#pragma unroll
      for (int r = 0; r < runs; ++r)
#pragma unroll
        for (int p = 0; p < packs; ++p)
          packs_[r][p] = read_pack((along_depth ? first[r] + offset : first[0] + offset + r * depth_stride) + p * pack);
    }
  }

  /// The same as far as `left` steps of depth; the rest is zero. Elements come one by one.
  __device__ void read_some(const Bits* const (&first)[Lines], std::int64_t depth_stride, int left) {
    static_assert(by == DirectRead::elements);
#pragma unroll
    for (int line = 0; line < Lines; ++line)
#pragma unroll
      for (int step = 0; step < Depth; ++step)
        elements_[line][step] = step < left ? __ldg(first[line] + step * depth_stride) : Bits(0);
  }

  __device__ auto get(int line, int step) const {
    if constexpr (by == DirectRead::elements) {
      return widened<Input>(elements_[line][step]);
    } else {
      const int r = along_depth ? line : step, at = along_depth ? step : line;
      return widened<Input>(packs_[r][at / pack].of[at % pack]);
    }
  }

 private:
  __device__ static Pack read_pack(const Bits* from) {
    using Word = std::conditional_t<pack_bytes == 16, uint4, std::conditional_t<pack_bytes == 8, uint2, unsigned>>;
    static_assert(sizeof(Word) == sizeof(Pack));
    const Word word = __ldg(reinterpret_cast<const Word*>(from));
    return *reinterpret_cast<const Pack*>(&word);
  }

  Bits elements_[by == DirectRead::elements ? Lines : 1][by == DirectRead::elements ? Depth : 1];
  Pack packs_[by == DirectRead::elements ? 1 : runs][by == DirectRead::elements ? 1 : packs];
};

}  // namespace Tegula::Impl

#endif
