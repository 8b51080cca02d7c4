// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_MAINLOOP_CUH
#define TEGULA_ASYNC_MAINLOOP_CUH

#include "Tegula_AsyncFetch.cuh"

/// The main loop of a team, for any instruction that multiplies.

namespace Tegula::Impl {

/// The main loop of a warp: sums += left right^T over `steps` tiles that two fetchers bring. A family brings a Math:
///   depth            steps of depth in one part of a tile; a warp multiplies its share of the parts
///   Sums, Fragments  what a warp holds in registers: its sums, and its lines of both operands for one part
///   buffers          2 if the next part is read to fragments of its own, 1 if it replaces what is being multiplied
///   read(stage, part, fragments)
///                    from scratch to registers
///   multiply_add(fragments, sums, stage, part, next, between)
///                    sums += what fragments hold; reads `part` of `stage` to `next`, which are the same fragments if
///                    there are no others; calls between(number, count) for number = 0 ... count - 1 along the way.
///
/// A stage is free as soon as all warps have read its last part, which they do before they multiply it. From then on
/// until the next stage is free it is filled again. Copies of tiles that lie within the operands are spread over the
/// multiplications: all at once they would wait for each other's registers. Everything is inlined, whatever its size:
/// sums that a function gets by address lie in local memory.
template <class Config, class Math, class LeftFetch, class RightFetch>
class AsyncMainloop {
 public:
  __device__ AsyncMainloop(const Math& math, const LeftFetch& left_fetch, const RightFetch& right_fetch, int steps,
                           int whole_steps, std::uint32_t scratch, typename Math::Sums& sums)
      : left_fetch_(left_fetch),
        right_fetch_(right_fetch),
        math_(math),
        steps_(steps),
        whole_steps_(whole_steps),
        scratch_(scratch),
        stage_(scratch),
        free_(scratch + (Config::stages - 1) * Config::stage_bytes),
        sums_(sums) {}

  __device__ __forceinline__ void run() {
    fill();
    int step = 0;
#pragma unroll 1
    for (; step + steps_at_once - 1 + Config::stages < whole_steps_; step += steps_at_once) multiply_steps<true>(step);
    if (whole_steps_ >= Config::stages) copy(free_, copies_per_part, copies);
#pragma unroll 1
    for (; step < steps_; step += steps_at_once) multiply_steps<false>(step);
  }

 private:
  static constexpr int parts = Config::tile_k / Math::depth / Config::warps_k;
  // Fragments alternate, so that a part of a step always has the same ones. Elements beyond the last step are zero.
  static constexpr int steps_at_once = parts % Math::buffers == 0 ? 1 : Math::buffers;
  // The first copies to a stage follow the barrier, the others come with the parts that follow.
  static constexpr int copies          = LeftFetch::passes + RightFetch::passes;
  static constexpr int copies_per_part = (copies + parts - 1) / parts;

  __device__ __forceinline__ void fill() {
#pragma unroll 1
    for (int step = 0; step < Config::stages - 1; ++step) {
      const std::uint32_t stage = scratch_ + step * Config::stage_bytes;
      if (step < whole_steps_) {
        copy(stage, 0, copies);
      } else {
        fetch_first(step, stage);
      }
      ptx::commit_copies();
    }
    if (whole_steps_ >= Config::stages) {
      copy(free_, 0, copies_per_part);
    } else {
      fetch_first(Config::stages - 1, free_);
    }
    ptx::wait_copies<Config::stages - 2>();
    __syncthreads();
    math_.read(stage_, 0, fragments_[0]);
  }

  template <bool whole>
  __device__ __forceinline__ void multiply_steps(int step) {
#pragma unroll
    for (int part = 0; part < steps_at_once * parts; ++part) {
      const bool is_last = (part + 1) % parts == 0;
      if (is_last) go_on();
      if (is_last && !whole) fetch(step + part / parts + Config::stages, free_);
      const int first    = (part + 1) % parts * copies_per_part;
      const auto between = [&](int number, int count) {
        if (whole)
          copy(free_, first + number * copies_per_part / count, first + (number + 1) * copies_per_part / count);
      };
      math_.multiply_add(fragments_[part % Math::buffers], sums_, stage_, (part + 1) % parts,
                         fragments_[(part + 1) % Math::buffers], between);
    }
  }

  // Moves from one stage to the next.
  __device__ void go_on() {
    ptx::commit_copies();
    ptx::wait_copies<Config::stages - 2>();
    __syncthreads();
    free_  = stage_;
    stage_ = stage_ + Config::stage_bytes == scratch_ + Config::stages * Config::stage_bytes
                 ? scratch_
                 : stage_ + Config::stage_bytes;
  }

  // Issues copies [begin, end) of those that bring a whole tile to a stage.
  __device__ void copy(std::uint32_t stage, int begin, int end) {
#pragma unroll
    for (int number = 0; number < copies; ++number) {
      if (number < begin || number >= end) continue;
      if (number < LeftFetch::passes) {
        left_fetch_.copy(stage, number);
      } else {
        right_fetch_.copy(stage + Config::left_bytes, number - LeftFetch::passes);
      }
    }
    if (begin < copies && end >= copies) {
      left_fetch_.go_on();
      right_fetch_.go_on();
    }
  }

  // Fetches a tile all at once, whole or not; nothing beyond the last step.
  __device__ void fetch(int step, std::uint32_t stage) {
    if (step >= steps_ + steps_at_once - 1) return;
    left_fetch_.fetch(stage);
    right_fetch_.fetch(stage + Config::left_bytes);
  }

  // The same of the first tiles: a fetcher that waits may wait for both at once, since nothing else needs registers
  // yet.
  __device__ void fetch_first(int step, std::uint32_t stage) {
    if constexpr (requires { LeftFetch::template fetch_both<RightFetch>; }) {
      if (step < steps_ + steps_at_once - 1)
        LeftFetch::fetch_both(left_fetch_, stage, right_fetch_, stage + Config::left_bytes);
    } else {
      fetch(step, stage);
    }
  }

  LeftFetch left_fetch_;
  RightFetch right_fetch_;
  Math math_;
  int steps_, whole_steps_;
  std::uint32_t scratch_, stage_, free_;
  typename Math::Fragments fragments_[Math::buffers];
  typename Math::Sums& sums_;
};

/// Calls function.operator()<left_major, right_major>(): the compiler must know the directions, since other
/// instructions read fragments of another direction.
template <class Function>
__device__ inline void with_majors(const AsyncOperand& left, const AsyncOperand& right, const Function& function) {
  if (left.major == Major::depth) {
    if (right.major == Major::depth) {
      function.template operator()<Major::depth, Major::depth>();
    } else {
      function.template operator()<Major::depth, Major::lines>();
    }
  } else {
    if (right.major == Major::depth) {
      function.template operator()<Major::lines, Major::depth>();
    } else {
      function.template operator()<Major::lines, Major::lines>();
    }
  }
}

}  // namespace Tegula::Impl

#endif
