// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RUN_ELEMENTS_CUH
#define TEGULA_RUN_ELEMENTS_CUH

#include <cstddef>
#include <cstdint>

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

/// Whether what is read is read again, perhaps by another team. If not, loads are streaming ones.
enum class CacheUse { once, again };

template <CacheUse use = CacheUse::once>
__device__ inline uint4 load_word(const void* at) {
  const auto* const word = static_cast<const uint4*>(at);
  return use == CacheUse::once ? __ldcs(word) : __ldg(word);
}

/// Elements that follow each other, as many as a word has, wherever they begin: the two words that they are in. Half
/// as many loads would do if neighbouring lanes handed theirs on, but the second word of a lane is the first one of the
/// next, and near.
struct SplitWord {
  uint4 first, second;
};

/// Asks for the first `count` of them. Nothing is read of a word that has none of these.
template <CacheUse use = CacheUse::once, class Bits>
__device__ inline SplitWord load_split_word(const Bits* at, int count) {
  const auto address    = reinterpret_cast<std::uintptr_t>(at);
  const auto shift      = static_cast<int>(address % 16);
  const char* const low = reinterpret_cast<const char*>(address - static_cast<unsigned>(shift));
  SplitWord word{};
  if (count > 0) word.first = load_word<use>(low);
  if (shift + count * static_cast<int>(sizeof(Bits)) > 16) word.second = load_word<use>(low + 16);
  return word;
}

/// What tells where in the first word they begin.
template <class Bits>
__device__ inline unsigned low_bits(const Bits* at) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at));
}

/// All of them in one word, when they are there. Those that were not asked for are anything.
template <class Bits>
__device__ inline uint4 joined(const SplitWord& word, unsigned address) {
  uint4 low = word.first, high = word.second;
  if (address & 8) low = {low.z, low.w, high.x, high.y}, high.x = high.z, high.y = high.w;
  if (sizeof(Bits) <= 4 && (address & 4)) low = {low.y, low.z, low.w, high.x}, high.x = high.y;
  if (sizeof(Bits) == 2 && (address & 2))
    low = {__funnelshift_r(low.x, low.y, 16), __funnelshift_r(low.y, low.z, 16), __funnelshift_r(low.z, low.w, 16),
           __funnelshift_r(low.w, high.x, 16)};
  return low;
}

}  // namespace Tegula::Impl

#endif
