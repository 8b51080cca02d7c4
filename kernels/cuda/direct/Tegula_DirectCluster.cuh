// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_CLUSTER_CUH
#define TEGULA_DIRECT_CLUSTER_CUH

#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxCluster.cuh"
#include "Tegula_DirectShares.hpp"

namespace Tegula::Impl {

/// The teams of a cluster, each of which has a part of every sum of a tile. Each part is sent to the team that stores
/// the sum, and counts at a barrier there: nobody reads what another team has, and nobody waits for more than what it
/// adds. A barrier of the whole cluster would publish all memory first, which takes 0.7 us.
template <class Config, class Sum>
class DirectCluster {
 public:
  /// Threads of all teams store one of so many sums in turn. Scratch has room for direct_used().
  __device__ DirectCluster(Sum* scratch, int teams_log2, int rank, int sums)
      : shares_{teams_log2, sums},
        rank_(rank),
        parts_(scratch + direct_warps * Config::warp_sums),
        barrier_(ptx::shared_address(parts_ + direct_cluster_parts<Config>)) {}

  /// Says to the other teams that this one is there. All threads call this, and wait_for_teams() before they send.
  __device__ void begin(int thread) const {
    if (thread == 0) {
      ptx::barrier_init(barrier_, 1);
      ptx::barrier_init_fence();
      ptx::barrier_arrive_expect(barrier_, shares_.count(rank_) * static_cast<int>(sizeof(Sum)) << shares_.teams_log2);
    }
    __syncwarp();
    ptx::cluster_arrive_after_init();
  }
  __device__ static void wait_for_teams() { ptx::cluster_wait(); }

  /// Sends this team's part of a sum to the team that stores it.
  __device__ void send(int sum, Sum part) const {
    ptx::store_to_block(ptx::shared_address(parts_ + rank_ * shares_.most() + shares_.number(sum)), part, barrier_,
                        shares_.team(sum));
  }

  /// Until all parts of this team's sums are there.
  __device__ void wait_for_parts() const { ptx::barrier_wait(barrier_, 0); }

  /// One of this team's sums.
  __device__ Sum total(int sum) const {
    const Sum* part = parts_ + shares_.number(sum);
    Sum total       = *part;
#pragma unroll 1
    for (int team = 1; team < 1 << shares_.teams_log2; ++team) total += *(part += shares_.most());
    return total;
  }

 private:
  DirectShares shares_;
  int rank_;
  Sum* parts_;
  std::uint32_t barrier_;
};

}  // namespace Tegula::Impl

#endif
