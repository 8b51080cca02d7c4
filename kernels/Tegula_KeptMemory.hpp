// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KEPT_MEMORY_HPP
#define TEGULA_KEPT_MEMORY_HPP

#include <cstddef>
#include <string>

/// What all memory that the library takes and keeps by itself has in common.

namespace Tegula::Impl {

/// What memory is for, as Kokkos' tools are told, and in a message.
struct MemoryUse {
  const char* label;
  const char* name;
};
inline constexpr MemoryUse workspace_memory{"Tegula::workspace", "a workspace"};
inline constexpr MemoryUse measured_memory{"Tegula::measure", "matrices to measure with and a workspace"};

/// Throws std::runtime_error: memory that a call, "gemm", was not given cannot be had.
[[noreturn]] void fail_without_memory(const char* call, const MemoryUse& use, std::size_t bytes,
                                      const std::string& reason);

/// Has Kokkos call `release` before it ends. Several threads may ask for that at once, which Kokkos itself forbids.
void release_when_kokkos_ends(void (*release)());

}  // namespace Tegula::Impl

#endif
