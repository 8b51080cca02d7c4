// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RUN_ELEMENTS_CUH
#define TEGULA_RUN_ELEMENTS_CUH

#include "Tegula_CudaElement.cuh"

/// Words of 16 bytes and the elements that they are.

namespace Tegula::Impl {

/// The elements of a word.
template <class Input>
__device__ inline void unpack(const uint4& word, float (&values)[8]) {
  const std::uint32_t pairs[] = {word.x, word.y, word.z, word.w};
#pragma unroll
  for (int e = 0; e < 8; ++e) values[e] = from_bits(element_of<Input>, pairs[e / 2] >> (e % 2 * 16) & 0xFFFF);
}
template <class Input>
__device__ inline void unpack(const uint4& word, float (&values)[4]) {
  values[0] = __uint_as_float(word.x), values[1] = __uint_as_float(word.y);
  values[2] = __uint_as_float(word.z), values[3] = __uint_as_float(word.w);
}
template <class Input>
__device__ inline void unpack(const uint4& word, double (&values)[2]) {
  values[0] = __hiloint2double(static_cast<int>(word.y), static_cast<int>(word.x));
  values[1] = __hiloint2double(static_cast<int>(word.w), static_cast<int>(word.z));
}

/// Rounded to Input, as a word.
template <class Input>
__device__ inline uint4 packed(const float (&v)[8]) {
  return {rounded_pair<Input>(v[0], v[1]), rounded_pair<Input>(v[2], v[3]), rounded_pair<Input>(v[4], v[5]),
          rounded_pair<Input>(v[6], v[7])};
}
template <class Input>
__device__ inline float4 packed(const float (&v)[4]) {
  return {v[0], v[1], v[2], v[3]};
}
template <class Input>
__device__ inline double2 packed(const double (&v)[2]) {
  return {v[0], v[1]};
}

}  // namespace Tegula::Impl

#endif
