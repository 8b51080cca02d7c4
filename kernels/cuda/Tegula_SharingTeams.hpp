// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHARING_TEAMS_HPP
#define TEGULA_SHARING_TEAMS_HPP

#include <algorithm>
#include <array>
#include <cstdint>

#include "Tegula_CudaMachine.hpp"

/// Teams that share the inner dimension of a tile: a cluster, whose teams send each other parts of sums.

namespace Tegula::Impl {

/// How many of them there may be; 1: nothing is shared.
inline constexpr std::array sharing_teams{1, 2, 4, 8};

/// How many of a device's teams run at once in such clusters, as a share, where a multiprocessor has room for one of
/// them, for two, or for more: a cluster lies in one part of a device (a GPC), whose multiprocessors are not always a
/// multiple of it. On an H200 30, 62 and 92 clusters of 4 run at once, 15, 30 and 45 of 8, and one more takes as long
/// again. Where there is room for two, an H100 runs as many. Not known of others.
inline constexpr std::array<std::array<double, 4>, 3> sharing_at_once{
    {{1, 1, 30.0 / 33, 30.0 / 33}, {1, 1, 62.0 / 66, 30.0 / 33}, {1, 1, 92.0 / 99, 30.0 / 33}}};

/// Calls function.operator()<is_shared>() for so many teams of a tile.
template <class Function>
void with_sharing(int teams, const Function& function) {
  teams > 1 ? function.template operator()<true>() : function.template operator()<false>();
}

inline bool has_clusters(const CudaMachine& machine) { return machine.major >= 9 && machine.has_entry; }

/// The place of a number of teams among those that there may be.
inline std::size_t sharing_number(std::int64_t teams) {
  return static_cast<std::size_t>(std::find(sharing_teams.begin(), sharing_teams.end(), teams) - sharing_teams.begin());
}

/// The largest number that is not beyond so many teams.
inline int most_sharing(std::int64_t teams) {
  return *std::find_if(sharing_teams.rbegin(), sharing_teams.rend(), [&](int number) { return number <= teams; });
}

/// The teams of so many multiprocessors that run at once in clusters, where each has room for `teams`.
inline double sharing_teams_at_once(std::int64_t multiprocessors, int cluster, int teams) {
  const auto& shares = sharing_at_once[static_cast<std::size_t>(std::min(teams, 3) - 1)];
  return shares[sharing_number(cluster)] * static_cast<double>(teams * multiprocessors);
}

}  // namespace Tegula::Impl

#endif
