// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_RUN_CUH
#define TEGULA_NARROW_RUN_CUH

#include "../Tegula_RunElements.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "../ptx/Tegula_PtxMmaDouble.cuh"

/// 16 bytes of elements that follow each other along the depth, as registers of operands: an instruction takes two of
/// them at a time of 16 lines of the long operand and of 8 of the short one.

namespace Tegula::Impl {

/// Elements of a run, and steps of depth that four neighbouring lanes have.
template <class Bits>
inline constexpr int narrow_run = 16 / static_cast<int>(sizeof(Bits));
template <class Bits>
inline constexpr int narrow_chunk = 4 * narrow_run<Bits>;

template <class Bits>
struct NarrowRun;

/// Of 16 bits, in pairs.
template <>
struct NarrowRun<std::uint16_t> {
  using Part = std::uint32_t;

  static constexpr int instructions = 2;  // that multiply runs

  Part parts[4];

  /// The first `count` of a word; the others become zero.
  __device__ static NarrowRun of_word(const uint4& word, int count) {
    NarrowRun run{{word.x, word.y, word.z, word.w}};
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      if (count < 2 * p + 2) run.parts[p] &= 0xFFFFu;
      if (count < 2 * p + 1) run.parts[p] = 0;
    }
    return run;
  }

  /// The same of elements that lie so far apart.
  __device__ static NarrowRun of_elements(const std::uint16_t* from, std::int64_t stride, int count) {
    NarrowRun run;
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      const std::uint32_t first = 2 * p < count ? __ldg(from + 2 * p * stride) : 0u,
                          other = 2 * p + 1 < count ? __ldg(from + (2 * p + 1) * stride) : 0u;
      run.parts[p]              = first | other << 16;
    }
    return run;
  }
};

template <>
struct NarrowRun<double> {
  using Part = double;

  static constexpr int instructions = 1;

  Part parts[2];

  __device__ static NarrowRun of_word(const uint4& word, int count) {
    NarrowRun run;
    unpack<double>(word, run.parts);
#pragma unroll
    for (int p = 0; p < 2; ++p)
      if (count < p + 1) run.parts[p] = 0;
    return run;
  }

  __device__ static NarrowRun of_elements(const double* from, std::int64_t stride, int count) {
    NarrowRun run;
#pragma unroll
    for (int p = 0; p < 2; ++p) run.parts[p] = p < count ? __ldg(from + p * stride) : 0;
    return run;
  }
};

/// sums += left right^T, of 16 lines times 8.
template <class Input>
__device__ inline void narrow_multiply(Input type, float (&sums)[4], const std::uint32_t (&left)[4],
                                       const std::uint32_t (&right)[2]) {
  ptx::multiply_add(type, sums, left, right[0], right[1]);
}
__device__ inline void narrow_multiply(double, double (&sums)[4], const double (&left)[4], const double (&right)[2]) {
  ptx::multiply_add(sums, left, right);
}

}  // namespace Tegula::Impl

#endif
