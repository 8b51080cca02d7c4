// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_TURN_CUH
#define TEGULA_WGMMA_TURN_CUH

#include "Tegula_WgmmaPipeline.cuh"

namespace Tegula::Impl {

/// Which work items of a team a consumer computes: all of them, if consumers share their rows, or every second one.
/// Then it waits until the other consumer has multiplied what comes before: stages are used again and again, and who
/// waits for one that is to be filled several times before would take an earlier filling for its own.
template <class Config>
class WgmmaTurn {
 public:
  __device__ WgmmaTurn(const WgmmaPipeline<Config>& pipeline, int consumer, int thread)
      : pipeline_(pipeline), consumer_(consumer), thread_(thread) {}

  /// Called once for each work item, in order: whether it is the other consumer's.
  __device__ bool is_others() {
    if constexpr (!Config::takes_turns) return false;
    return item_++ % Config::consumers != consumer_;
  }

  /// Waits before the stages of an own work item. The very first one has nobody in front.
  __device__ void wait() {
    if constexpr (!Config::takes_turns) return;
    if (item_ > 1) {
      ptx::barrier_wait(pipeline_.turn(consumer_), parity_);
      parity_ ^= 1;
    }
  }

  /// It is the other consumer's turn.
  __device__ void pass_on() const {
    if constexpr (!Config::takes_turns) return;
    if (thread_ == 0) ptx::barrier_arrive(pipeline_.turn(1 - consumer_));
  }

 private:
  const WgmmaPipeline<Config>& pipeline_;
  int consumer_, thread_, item_ = 0;
  std::uint32_t parity_ = 0;
};

}  // namespace Tegula::Impl

#endif
