// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_MACHINE_HPP
#define TEGULA_PORTABLE_MACHINE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "Tegula_PortableRates.hpp"

/// What the planner of the portable family knows of the machine that an execution space instance runs on.
/// Nothing here needs Kokkos.

namespace Tegula::Impl {

struct PortableMachine {
  bool is_host;
  std::int64_t units;                      // threads of a host, multiprocessors of a device
  std::array<std::size_t, 2> scratch_max;  // of a team, at level 0, the fast one, and at level 1
  const PortableRates* rates = nullptr;    // predicted times; null: none are

  /// Teams that run at the same time, each of so many threads; a multiprocessor holds some at once.
  std::int64_t teams_at_once(int threads, int of_a_multiprocessor) const {
    return std::max<std::int64_t>(1, is_host ? units / threads : units * of_a_multiprocessor);
  }

  /// Where a team has that much scratch.
  int scratch_level(std::size_t bytes) const { return bytes <= scratch_max[0] ? 0 : 1; }

  /// Whether a team gets the scratch that it needs: of a device, the fast one.
  bool has_scratch(std::size_t bytes) const { return bytes <= scratch_max[is_host ? 1 : 0]; }
};

/// A device that does not tell its multiprocessors: its concurrency counts their threads, most often 2048 of each.
constexpr std::int64_t multiprocessors_of(std::int64_t concurrency) {
  return std::max<std::int64_t>(1, concurrency / 2048);
}

/// The level 0 scratch of a team, where Kokkos speaks of its default device, and the instance's has `shared` bytes for
/// every block. Of those Kokkos keeps 8 bytes for each of up to 1024 threads, and 24 more.
constexpr std::size_t scratch_of_device(std::size_t of_default_device, std::size_t shared) {
  constexpr std::size_t kept = 8 * 1024 + 24;
  return std::min(of_default_device, shared > kept ? shared - kept : 0);
}

}  // namespace Tegula::Impl

#endif
