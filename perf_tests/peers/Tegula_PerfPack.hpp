// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PACK_HPP
#define TEGULA_PERF_PACK_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace Tegula::Perf {

/// As many elements as a thread of a GPU reads or writes at once.
template <class T>
inline constexpr int pack_width = static_cast<int>(16 / sizeof(T));

/// Elements that lie beside each other; their address is a multiple of their size. Those of 16 and 32 bits are kept as
/// they came, in words, until one is asked for: taken apart at once, they would make each load wait for the one before.
template <class T, int Width = pack_width<T>>
class Pack {
 public:
  static_assert(Width * sizeof(T) == 16);

  KOKKOS_FORCEINLINE_FUNCTION T operator[](int i) const {
    if constexpr (is_word) {
      T value;
      std::memcpy(static_cast<void*>(&value), &words_[i], sizeof(T));
      return value;
    } else {
      const auto bits = static_cast<std::uint16_t>(words_[i / 2] >> (16 * (i % 2)));
      T value;
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
      return value;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void set(int i, T value) {
    if constexpr (is_word) {
      std::memcpy(&words_[i], static_cast<const void*>(&value), sizeof(T));
    } else {
      std::uint16_t bits;
      std::memcpy(&bits, static_cast<const void*>(&value), sizeof(T));
      const int shift = 16 * (i % 2);
      words_[i / 2]   = (words_[i / 2] & ~(0xffffu << shift)) | (static_cast<std::uint32_t>(bits) << shift);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void load(const T* address) {
    const auto bytes = *reinterpret_cast<const SixteenBytes*>(address);
    std::memcpy(words_, &bytes, sizeof(bytes));
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(T* address) const {
#ifdef __CUDA_ARCH__  // nvcc splits up the store of a structure that it has just put together
    uint4 bytes;
    std::memcpy(&bytes, words_, sizeof(bytes));
    __stwb(reinterpret_cast<uint4*>(address), bytes);
#else
    SixteenBytes bytes;
    std::memcpy(&bytes, words_, sizeof(bytes));
    *reinterpret_cast<SixteenBytes*>(address) = bytes;
#endif
  }

 private:
  using Word                    = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr bool is_word = sizeof(T) == sizeof(Word);

  /// What the compiler moves in one instruction.
  struct alignas(16) SixteenBytes {
    std::uint32_t words[4];
  };

  Word words_[16 / sizeof(Word)] = {};
};

/// One element, wherever it lies.
template <class T>
class Pack<T, 1> {
 public:
  KOKKOS_FORCEINLINE_FUNCTION T operator[](int) const { return value_; }
  KOKKOS_FORCEINLINE_FUNCTION void set(int, T value) { value_ = value; }
  KOKKOS_FORCEINLINE_FUNCTION void load(const T* address) { value_ = *address; }
  KOKKOS_FORCEINLINE_FUNCTION void store(T* address) const { *address = value_; }

 private:
  T value_ = {};
};

template <int Width, class T>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, Width> load_pack(const T* address) {
  Pack<T, Width> pack;
  pack.load(address);
  return pack;
}

}  // namespace Tegula::Perf

#endif
