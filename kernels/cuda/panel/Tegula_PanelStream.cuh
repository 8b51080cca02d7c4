// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_STREAM_CUH
#define TEGULA_PANEL_STREAM_CUH

#include "../async/Tegula_AsyncFetch.cuh"
#include "Tegula_PanelConfig.hpp"

/// How operands come to scratch.

namespace Tegula::Impl {

/// One step of depth, whether it lies within the operand or not.
template <class Fetch>
__device__ inline void fetch_step(Fetch& fetch, std::uint32_t to, bool is_whole) {
  if (!is_whole) return fetch.fetch(to);
#pragma unroll
  for (int pass = 0; pass < Fetch::passes; ++pass) fetch.copy(to, pass);
  fetch.go_on();
}

/// Begins to copy a panel, all threads of the team together.
template <Major major>
__device__ inline void fetch_panel(const AsyncOperand& operand, std::int32_t panel, std::int32_t depth, int thread,
                                   std::uint32_t to) {
  using Fetch = AsyncFetch<PanelConfig::Held, major, PanelConfig::tile_n>;
  const AsyncOrigin origin{panel * PanelConfig::tile_n, 0, depth};
  const int whole_steps = Fetch::whole_steps(operand, origin);
  Fetch fetch(operand, thread, origin);
#pragma unroll 1
  for (int step = 0; step * PanelConfig::tile_k < depth; ++step)
    fetch_step(fetch, to + step * PanelConfig::held_step_bytes, step < whole_steps);
}

/// The left operand on its way to the stages of a group: the steps of its tiles, `groups` tiles from one to the next.
/// Registers are scarce where this is used, so that addresses are computed anew for every step.
template <Major major>
class PanelStream {
  using Fetch = AsyncFetch<PanelConfig::Streamed, major, PanelConfig::tile_m>;

 public:
  __device__ PanelStream(const AsyncOperand& operand, const std::int32_t& depth, int thread, std::int32_t tile,
                         std::int32_t end)
      : operand_(operand), depth_(depth), thread_(thread), tile_(tile), end_(end), step_begin_(0) {}

  /// Begins to copy the next step to a stage; behind the last one nothing.
  __device__ void operator()(std::uint32_t stage) {
    if (tile_ < end_) {
      const AsyncOrigin origin{tile_ * PanelConfig::tile_m, step_begin_, depth_};
      Fetch fetch(operand_, thread_, origin);
      fetch_step(fetch, stage, Fetch::whole_steps(operand_, origin) > 0);
      step_begin_ += PanelConfig::tile_k;
      if (step_begin_ >= depth_) {
        step_begin_ = 0;
        tile_ += PanelConfig::groups;
      }
    }
    ptx::commit_copies();
  }

 private:
  const AsyncOperand& operand_;
  const std::int32_t& depth_;
  int thread_;
  std::int32_t tile_, end_, step_begin_;
};

}  // namespace Tegula::Impl

#endif
