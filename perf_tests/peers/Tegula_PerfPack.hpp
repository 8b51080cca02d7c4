// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PACK_HPP
#define TEGULA_PERF_PACK_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstring>

namespace Tegula::Perf {

/// As many elements as a thread of a GPU reads or writes at once.
template <class T>
inline constexpr int pack_width = static_cast<int>(16 / sizeof(T));

/// Elements that lie beside each other; their address is a multiple of their size.
template <class T, int Width = pack_width<T>>
struct Pack {
  T values[Width];
};

namespace Impl {

/// What the compiler moves in one instruction.
struct alignas(16) SixteenBytes {
  std::uint32_t words[4];
};

}  // namespace Impl

template <int Width, class T>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, Width> load_pack(const T* address) {
  Pack<T, Width> pack;
  if constexpr (Width == 1) {
    pack.values[0] = *address;
  } else {
    static_assert(sizeof(pack) == sizeof(Impl::SixteenBytes));
    const Impl::SixteenBytes bytes = *reinterpret_cast<const Impl::SixteenBytes*>(address);
    std::memcpy(static_cast<void*>(&pack), &bytes, sizeof(pack));
  }
  return pack;
}

template <class T, int Width>
KOKKOS_FORCEINLINE_FUNCTION void store_pack(T* address, const Pack<T, Width>& pack) {
  if constexpr (Width == 1) {
    *address = pack.values[0];
  } else {
#ifdef __CUDA_ARCH__  // nvcc splits up the store of a structure that it has just put together
    uint4 bytes;
    std::memcpy(&bytes, static_cast<const void*>(&pack), sizeof(pack));
    __stwb(reinterpret_cast<uint4*>(address), bytes);
#else
    Impl::SixteenBytes bytes;
    std::memcpy(&bytes, static_cast<const void*>(&pack), sizeof(pack));
    *reinterpret_cast<Impl::SixteenBytes*>(address) = bytes;
#endif
  }
}

}  // namespace Tegula::Perf

#endif
