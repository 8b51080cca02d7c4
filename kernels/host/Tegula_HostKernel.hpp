// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_KERNEL_HPP
#define TEGULA_HOST_KERNEL_HPP

#include "Tegula_CallableRef.hpp"
#include "Tegula_HostCall.hpp"

/// The kernel of the host family, compiled into the library for float and double. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// A thread of a team, the share of the work that follows from its rank, and the team's scratch and barrier.
struct HostThread {
  int rank, size;
  char* scratch;  // PanelScratch::bytes of the largest product
  CallableRef barrier;

  /// The part [begin, end) of `count` things that are this thread's.
  std::int64_t begin(std::int64_t count) const { return size == 1 ? 0 : count * rank / size; }
  std::int64_t end(std::int64_t count) const { return size == 1 ? count : count * (rank + 1) / size; }

  void wait() const {
    if (size > 1) barrier();
  }
};

/// Computes the tile of team number `team`.
template <class T>
void compute_host_tile(const HostCall<T>& call, std::int64_t team, const HostThread& thread);

template <class T>
struct DirectResult;

/// The same of a product that one thread computes at once: all of it is `work`, and goes to `direct` where microkernels
/// can store it.
template <class T>
void compute_whole_product(Instructions instructions, const HostProduct<T>& product, const TeamWork& work,
                           const DirectResult<T>& direct, char* scratch);

/// Into how many parts the sums of a product with split-k are divided, and what adds the slices of one part, always in
/// the same order, and stores the result.
template <class T>
std::int64_t host_slice_parts(const HostProduct<T>& product);
template <class T>
void add_host_slices(const HostProduct<T>& product, std::int64_t part);

/// The set of instructions for which what stores results is compiled. The pass that adds slices is for memory to limit,
/// and runs the oldest.
inline Instructions finishing_instructions(Instructions instructions, std::int64_t split_k) {
  return split_k > 1 ? Instructions::baseline : instructions;
}

/// Groups of panels of an operand of so many lines, for columns of register tiles.
template <class T>
int panel_groups(Instructions instructions, std::int64_t lines);

/// Packs a group of panels, each behind the one before, as HostOperand::panels has them.
template <class T>
void pack_group(Instructions instructions, const HostOperand<T>& operand, std::int64_t lines, std::int64_t depth,
                int group, T* to);

}  // namespace Tegula::Impl

#endif
