// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostMemory.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <mutex>
#include <vector>

#include "Tegula_KeptMemory.hpp"

namespace Tegula::Impl {
namespace {

/// The blocks that calls take turns to have. A call gets the smallest free one that is large enough, so there are at
/// most as many of a size as calls ran at once.
///
/// A block that has become too small stays: Kokkos fences all spaces when it frees memory of the host, and calls are
/// not to wait. Sizes are powers of two, so that calls that grow leave few blocks behind: fewer bytes than the largest
/// block has, which has fewer than twice what was asked for. Pages of it that no call writes take no memory.
///
/// The few calls that want more than most_kept_bytes get what they ask for, and free it: they take long beside a fence,
/// and twice their memory might not be there.
class HostBlocks {
 public:
  char* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    Block* best = nullptr;
    for (Block& block : blocks_)
      if (!block.is_taken && block.bytes >= bytes && (best == nullptr || block.bytes < best->bytes)) best = &block;
    if (best == nullptr) best = &add(bytes);
    best->is_taken = true;
    return best->data;
  }

  void give_back(const char* data) {
    const std::lock_guard lock(mutex_);
    const auto block = std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.data == data; });
    block->is_taken  = false;
    if (block->bytes > most_kept_) remove(block);
  }

  /// Frees the blocks, and keeps none from now on: a function that Kokkos calls later may still call the library.
  void release() {
    const std::lock_guard lock(mutex_);
    most_kept_ = 0;
    while (!blocks_.empty()) remove(blocks_.end() - 1);
  }

 private:
  struct Block {
    char* data;
    std::size_t bytes;
    bool is_taken;
  };
  using Blocks = std::vector<Block>;

  Block& add(std::size_t bytes) {
    const std::size_t rounded = bytes > most_kept_ ? bytes : std::bit_ceil(bytes);
    blocks_.reserve(blocks_.size() + 1);  // before there is something to lose
    void* const data = Kokkos::kokkos_malloc<Kokkos::HostSpace>(workspace_memory.label, rounded);
    return blocks_.emplace_back(Block{static_cast<char*>(data), rounded, false});
  }

  void remove(Blocks::iterator block) {
    Kokkos::kokkos_free<Kokkos::HostSpace>(block->data);
    blocks_.erase(block);
  }

  std::mutex mutex_;
  Blocks blocks_;
  std::size_t most_kept_ = HostMemory::most_kept_bytes;
};

/// Never destroyed: Kokkos may end after the static objects of this library.
HostBlocks& host_blocks() {
  static HostBlocks* const blocks = [] {
    release_when_kokkos_ends([] { host_blocks().release(); });
    return new HostBlocks;
  }();
  return *blocks;
}

char* take(const char* call, std::size_t bytes) {
  try {
    return host_blocks().take(bytes);
  } catch (const std::exception& error) {  // of one type or another, by the version of Kokkos
    fail_without_memory(call, workspace_memory, bytes, error.what());
  }
}

}  // namespace

HostMemory::HostMemory(const char* call, std::size_t bytes) : data_(take(call, bytes)) {}

HostMemory::~HostMemory() { host_blocks().give_back(data_); }

}  // namespace Tegula::Impl
