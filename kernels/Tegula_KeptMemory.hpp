// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KEPT_MEMORY_HPP
#define TEGULA_KEPT_MEMORY_HPP

#include <cstddef>
#include <string>

/// What all memory that the library takes and keeps by itself has in common.

namespace Tegula::Impl {

/// What Kokkos' tools are told that memory is for.
inline constexpr const char* workspace_label = "Tegula::workspace";

/// Throws std::runtime_error: a call, "gemm", was given no workspace, and memory for one cannot be had.
[[noreturn]] void fail_without_memory(const char* call, std::size_t bytes, const std::string& reason);

/// Has Kokkos call `release` before it ends. Several threads may ask for that at once, which Kokkos itself forbids.
void release_when_kokkos_ends(void (*release)());

}  // namespace Tegula::Impl

#endif
