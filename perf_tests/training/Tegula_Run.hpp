// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RUN_HPP
#define TEGULA_RUN_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

namespace Tegula::Training {

/// Elements that lie next to each other and are read and written at once. The first one lies at a multiple of the run's
/// size, as it does in the memory of a View.
template <class T, int length>
struct alignas(sizeof(T) * length) Run {
  T elements[length];

  KOKKOS_FUNCTION T& operator[](int i) { return elements[i]; }
  KOKKOS_FUNCTION const T& operator[](int i) const { return elements[i]; }
};

/// As many elements as a thread stores: a word of a GPU, or a cache line of a host, which its compiler makes vectors
/// of.
template <class MemorySpace, class T>
inline constexpr int run_length = (std::is_same_v<MemorySpace, Kokkos::HostSpace> ? 64 : 16) / sizeof(T);

/// Run number i of an array.
template <int length, class T>
KOKKOS_FUNCTION Run<T, length> load_run(const T* array, std::int64_t i) {
  return reinterpret_cast<const Run<T, length>*>(array)[i];
}
template <int length, class T>
KOKKOS_FUNCTION void store_run(T* array, std::int64_t i, const Run<T, length>& run) {
  reinterpret_cast<Run<T, length>*>(array)[i] = run;
}

}  // namespace Tegula::Training

#endif
