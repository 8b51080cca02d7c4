// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_RUN_CUH
#define TEGULA_MMA_RUN_CUH

#include <cstdint>

/// Runs of 16 bytes of a result, and how lanes exchange words to have whole runs.

namespace Tegula::Impl {

/// Lane q of four that follow each other gives words[j] to lane j of them, and gets its words[q] as words[j].
__device__ inline void transpose_among_four(std::uint32_t (&words)[4], int lane) {
#pragma unroll
  for (int distance = 1; distance <= 2; ++distance)
#pragma unroll
    for (int pair = 0; pair < 2; ++pair) {
      std::uint32_t &low        = words[distance == 1 ? 2 * pair : pair],
                    &high       = words[distance == 1 ? 2 * pair + 1 : pair + 2];
      const bool keeps_high     = lane & distance;
      const std::uint32_t got   = __shfl_xor_sync(0xFFFFFFFFu, keeps_high ? low : high, distance);
      (keeps_high ? low : high) = got;
    }
}

/// A run of 8 elements of a result, of which `elements` lie within it.
struct MmaRun {
  std::uint16_t* data;
  std::int32_t elements;

  __device__ void load(std::uint32_t (&words)[4]) const {
    if (elements == 8) {
      const uint4 run = *reinterpret_cast<const uint4*>(data);
      words[0] = run.x, words[1] = run.y, words[2] = run.z, words[3] = run.w;
    } else {
#pragma unroll
      for (int e = 0; e < 8; ++e)
        if (e < elements) words[e / 2] |= static_cast<std::uint32_t>(data[e]) << e % 2 * 16;
    }
  }

  __device__ void store(const std::uint32_t (&words)[4]) const {
    if (elements == 8) {
      *reinterpret_cast<uint4*>(data) = {words[0], words[1], words[2], words[3]};
    } else {
#pragma unroll
      for (int e = 0; e < 8; ++e)
        if (e < elements) data[e] = static_cast<std::uint16_t>(words[e / 2] >> e % 2 * 16);
    }
  }
};

}  // namespace Tegula::Impl

#endif
