// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_KeptMemory.hpp"

#include <Kokkos_Core.hpp>
#include <mutex>
#include <stdexcept>

namespace Tegula::Impl {

void fail_without_memory(const char* call, const MemoryUse& use, std::size_t bytes, const std::string& reason) {
  throw std::runtime_error("Tegula::" + std::string(call) + ": there is no memory for " + use.name + " of " +
                           std::to_string(bytes) + " bytes: " + reason);
}

void release_when_kokkos_ends(void (*release)()) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  Kokkos::push_finalize_hook(release);
}

}  // namespace Tegula::Impl
