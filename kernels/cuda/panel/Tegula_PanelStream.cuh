// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_STREAM_CUH
#define TEGULA_PANEL_STREAM_CUH

#include "../async/Tegula_AsyncFetch.cuh"
#include "Tegula_PanelConfig.hpp"

/// The threads bring operands to scratch.

namespace Tegula::Impl {

/// One step of depth, of which a part may lie outside the operand. There are so few copies that one path is enough.
template <class Fetch>
__device__ inline void fetch_step(Fetch& fetch, std::uint32_t to) {
#pragma unroll
  for (int pass = 0; pass < Fetch::passes; ++pass) fetch.copy_part(to, pass);
  fetch.go_on();
}

/// Begins to copy a panel. All threads of the team call this.
template <Major major>
__device__ inline void fetch_panel(const AsyncOperand& operand, std::int32_t panel, std::int32_t depth, int thread,
                                   std::uint32_t to) {
  AsyncFetch<PanelConfig::Held, major, PanelConfig::tile_n> fetch(operand, thread,
                                                                  {panel * PanelConfig::tile_n, 0, depth});
#pragma unroll 1
  for (int step = 0; step * PanelConfig::tile_k < depth; ++step)
    fetch_step(fetch, to + step * PanelConfig::held_step_bytes);
}

/// Brings the left operand to the stages of a group: the steps of the group's tiles, which are `groups` tiles apart.
template <Major major>
class PanelStream {
  using Fetch = AsyncFetch<PanelConfig::Streamed, major, PanelConfig::tile_m>;

 public:
  __device__ PanelStream(const AsyncOperand& operand, const std::int32_t& depth, int thread, std::int32_t tile,
                         std::int32_t end)
      : operand_(operand),
        depth_(depth),
        thread_(thread),
        tile_(tile),
        end_(end),
        depth_left_(depth),
        fetch_(operand, thread, origin()) {}

  /// Begins to copy the next step to a stage; does nothing beyond the last one.
  __device__ void operator()(std::uint32_t stage) {
    if (tile_ < end_) {
      fetch_step(fetch_, stage);
      depth_left_ -= PanelConfig::tile_k;
      if (depth_left_ <= 0) begin_tile(tile_ + PanelConfig::groups);
    }
    ptx::commit_copies();
  }

 private:
  __device__ AsyncOrigin origin() const { return {tile_ * PanelConfig::tile_m, 0, depth_}; }

  __device__ void begin_tile(std::int32_t tile) {
    tile_       = tile;
    depth_left_ = depth_;
    fetch_      = Fetch(operand_, thread_, origin());
  }

  const AsyncOperand& operand_;
  const std::int32_t& depth_;
  int thread_;
  std::int32_t tile_, end_, depth_left_;
  Fetch fetch_;
};

}  // namespace Tegula::Impl

#endif
