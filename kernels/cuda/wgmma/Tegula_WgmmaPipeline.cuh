// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_PIPELINE_CUH
#define TEGULA_WGMMA_PIPELINE_CUH

#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxCluster.cuh"

/// The ring of stages between the producer and the consumers. Each stage has two barriers: a phase of `full` ends when
/// TMA has delivered its bytes, a phase of `empty` when every consumer of the tile is done with them: those of all its
/// teams, since a producer delivers to all. Consumers that take turns have a barrier each, on which it waits for its
/// turn.

namespace Tegula::Impl {

template <class Config>
class WgmmaPipeline {
 public:
  __device__ explicit WgmmaPipeline(std::uint32_t scratch)
      : operands_(scratch), barriers_(scratch + Config::barriers_at) {}

  /// One thread calls this, before a barrier of the team.
  __device__ void init() const {
    for (int stage = 0; stage < Config::stages; ++stage) {
      ptx::barrier_init(full(stage), 1);
      ptx::barrier_init(empty(stage), Config::tile_consumers * Config::tile_teams);
    }
    if constexpr (Config::takes_turns)
      for (int consumer = 0; consumer < Config::consumers; ++consumer) ptx::barrier_init(turn(consumer), 1);
    ptx::barrier_init_fence();
  }

  /// Tells every producer that fills this stage that a consumer is done with it. `thread` is the number within the
  /// consumer, all of whose threads call this.
  __device__ static void release(std::uint32_t empty, int thread) {
    if (thread >= Config::tile_teams) return;
    if constexpr (Config::tile_teams == 1) {
      ptx::barrier_arrive(empty);
    } else {
      ptx::barrier_arrive_at_block(empty, thread);
    }
  }

  __device__ std::uint32_t left(int stage) const { return operands_ + stage * Config::stage_bytes; }
  __device__ std::uint32_t right(int stage) const { return left(stage) + Config::left_bytes; }
  __device__ std::uint32_t full(int stage) const { return barriers_ + 8 * stage; }
  __device__ std::uint32_t empty(int stage) const { return barriers_ + 8 * (Config::stages + stage); }
  __device__ std::uint32_t turn(int consumer) const {
    return barriers_ + Config::turns_at - Config::barriers_at + 8 * consumer;
  }

 private:
  std::uint32_t operands_, barriers_;
};

/// A position in the ring. The parity of the phases that a role waits for changes with every round. A consumer begins
/// with parity 0. A producer finds all stages empty and begins with parity 1, that of the phase before the first.
template <class Config>
struct WgmmaStage {
  int index;
  std::uint32_t parity;

  __device__ void next() {
    if (++index == Config::stages) {
      index = 0;
      parity ^= 1;
    }
  }
  /// As next() so many times.
  __device__ void skip(int steps) {
    const int rounds = (index + steps) / Config::stages;
    index += steps - rounds * Config::stages;
    parity ^= rounds & 1;
  }
};

}  // namespace Tegula::Impl

#endif
