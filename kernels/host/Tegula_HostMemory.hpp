// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_MEMORY_HPP
#define TEGULA_HOST_MEMORY_HPP

#include <cstddef>

namespace Tegula::Impl {

/// Memory of the host for the workspace of a call that was given none. When it goes, the next call can have the block.
/// Blocks are kept until Kokkos ends, but for those larger than most_kept_bytes.
class HostMemory {
 public:
  static constexpr std::size_t most_kept_bytes = std::size_t(1) << 30;

  /// Throws std::runtime_error, which names the call and the bytes, if there is no memory.
  HostMemory(const char* call, std::size_t bytes);
  ~HostMemory();
  HostMemory(const HostMemory&)            = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  char* data() const { return data_; }

 private:
  char* data_;
};

}  // namespace Tegula::Impl

#endif
