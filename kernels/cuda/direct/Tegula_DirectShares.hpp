// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_SHARES_HPP
#define TEGULA_DIRECT_SHARES_HPP

#include "Tegula_DirectConfig.hpp"

namespace Tegula::Impl {

/// How the sums of a tile are shared out among the teams of a cluster, each of which stores some of them: threads take
/// them in turns, those of the first team before those of the second.
struct DirectShares {
  int teams_log2, sums;

  TEGULA_HOST_DEVICE constexpr int turn_log2() const { return direct_threads_log2 + teams_log2; }

  /// The team that stores a sum, and the sum's number among those of that team.
  TEGULA_HOST_DEVICE constexpr int team(int sum) const { return sum / direct_threads & ((1 << teams_log2) - 1); }
  TEGULA_HOST_DEVICE constexpr int number(int sum) const {
    return (sum >> turn_log2() << direct_threads_log2) + sum % direct_threads;
  }

  /// How many a team stores, and how many each does at most.
  TEGULA_HOST_DEVICE constexpr int count(int team) const {
    const int last = (sums & ((1 << turn_log2()) - 1)) - team * direct_threads;
    return (sums >> turn_log2() << direct_threads_log2) + (last < 0                ? 0
                                                           : last < direct_threads ? last
                                                                                   : direct_threads);
  }
  TEGULA_HOST_DEVICE constexpr int most() const {
    const int most = (((sums - 1) >> turn_log2()) + 1) << direct_threads_log2;
    return sums < most ? sums : most;
  }
};

/// How many parts of sums a team of a cluster is sent at most, those of its rows' sums among them.
template <class Config>
constexpr int count_cluster_parts() {
  constexpr int largest_cluster_log2 = 3;
  int most                           = 0;
  for (int line_warps = 0; line_warps <= direct_warps_log2; ++line_warps)
    for (int teams_log2 = 1; teams_log2 <= largest_cluster_log2; ++teams_log2) {
      const DirectShares shares{teams_log2, Config::tile_m * (Config::tile_n + 1) << line_warps};
      const int parts = shares.most() << teams_log2;
      most            = most < parts ? parts : most;
    }
  return most;
}
template <class Config>
inline constexpr int direct_cluster_parts = count_cluster_parts<Config>();

/// Scratch, in bytes: the sums of a team's warps; in a cluster parts of sums from all of its teams, and their barrier.
inline constexpr int direct_alignment = 16;
template <class Config, class Bits, bool is_shared = true>
constexpr int direct_used() {
  constexpr int sum_bytes = static_cast<int>(sizeof(sum_t<Bits>)), barrier = 8;
  return direct_warps * Config::warp_sums * sum_bytes +
         (is_shared ? direct_cluster_parts<Config> * sum_bytes + barrier : 0);
}
template <class Config, class Bits, bool is_shared = true>
constexpr int direct_scratch() {
  return direct_used<Config, Bits, is_shared>() + direct_alignment;
}

}  // namespace Tegula::Impl

#endif
