// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Fp32SplitPass.hpp"

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_Fp32SplitTile.cuh"

namespace Tegula::Impl {
namespace {

constexpr int warp_lanes = 32, warps = Fp32SplitTile::threads / warp_lanes;
constexpr unsigned all_lanes = 0xFFFFFFFF;

using member = CudaTeams<Fp32SplitTile::threads, split_teams_at_once>::member;

using Runs  = float[Fp32SplitTile::runs][Fp32SplitTile::run];
using Pairs = std::uint32_t[Fp32SplitTile::run / 2];

__device__ float2 halves(std::uint32_t pair) {
  return __half22float2(__halves2half2(__ushort_as_half(static_cast<unsigned short>(pair)),
                                       __ushort_as_half(static_cast<unsigned short>(pair >> 16))));
}
__device__ float2 bhalves(std::uint32_t pair) {
  return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xFFFF0000u)};
}

/// Merges the values of the threads that share a line. All of them get the result.
template <class T, class Merge>
__device__ T merge_line(T value, const Merge& merge) {
#pragma unroll
  for (int apart = Fp32SplitTile::line_threads / 2; apart > 0; apart /= 2)
    value = merge(value, __shfl_xor_sync(all_lanes, value, apart));
  return value;
}

/// Merges the reports of the threads of a warp. All of them get the result.
__device__ Fp32SplitReport merged(const Fp32SplitReport& report) {
  return {__reduce_max_sync(all_lanes, report.not_large), __reduce_or_sync(all_lanes, report.has)};
}

/// A team's share of the tiles of an operand, those of the same lines one after the other.
class TileWalk {
 public:
  __device__ TileWalk(const Fp32SplitOperands& both, int operand, const member& team)
      : operand_(both.operands[operand]),
        left_(both.share(operand, team.league_rank(), begin_)),
        blocks_(static_cast<std::uint32_t>(operand_.blocks)),
        thread_(team.team_rank()) {
    line_block_ = begin_ / blocks_;
    block_      = begin_ - line_block_ * blocks_;
  }

  __device__ bool is_over() const { return left_ == 0; }
  __device__ Fp32SplitTile tile() const { return {operand_, line_block_, block_, thread_}; }

  __device__ void next() {
    --left_;
    if (++block_ < blocks_) return;
    block_ = 0;
    ++line_block_;
  }

 private:
  const Fp32SplitOperand operand_;  // in registers: each use of a parameter would read it again
  std::uint32_t begin_, left_, blocks_, line_block_, block_;
  int thread_;
};

/// Calls function(tile, runs) for a team's share of an operand, while the next tile is read. Calls begin(tile) before
/// the first tile of the same lines.
template <class Begin, class Function>
__device__ void for_tiles(const Fp32SplitOperands& both, int operand, const member& team, float* scratch,
                          const Begin& begin, const Function& function) {
  TileWalk walk(both, operand, team);
  if (walk.is_over()) return;
  Fp32SplitTile::Words words;
  walk.tile().fetch(words);
  begin(walk.tile());
#pragma unroll 1
  while (true) {
    const Fp32SplitTile tile = walk.tile();
    Runs runs;
    tile.arrange(team, scratch, words, runs);
    walk.next();
    if (!walk.is_over()) walk.tile().fetch(words);
    function(tile, runs);
    if (walk.is_over()) return;
    if (walk.tile().block == 0) begin(walk.tile());
  }
}

/// Merges the reports of a team's threads on both operands. All threads of the team call this once.
__device__ void merge_in_team(const member& team, Fp32SplitReport (&reports)[2], std::uint32_t (&scratch)[2][warps]) {
  const int warp = team.team_rank() / warp_lanes;
#pragma unroll
  for (int operand = 0; operand < 2; ++operand) {
    const Fp32SplitReport of_warp = merged(reports[operand]);
    if (team.team_rank() % warp_lanes == 0) scratch[operand][warp] = of_warp.word();
  }
  team.team_barrier();
#pragma unroll
  for (int operand = 0; operand < 2; ++operand)
#pragma unroll
    for (const std::uint32_t word : scratch[operand]) reports[operand].merge(Fp32SplitReport::of(word));
}

/// A team's scratch: a tile on its way, and reports.
struct Scratch {
  float tile[Fp32SplitTile::scratch_floats];
  std::uint32_t reports[2][warps];

  __device__ static Scratch& of(const member& team) {
    return *static_cast<Scratch*>(team.team_scratch(0).get_shmem_aligned(int(sizeof(Scratch)), 16));
  }
};

/// The teams of both passes.
using SplitTeams = CudaTeams<Fp32SplitTile::threads, split_teams_at_once, int(sizeof(Scratch))>;

struct SplitToHalves {
  using teams = SplitTeams;

  Fp32SplitOperands both;

  __device__ void operator()(const member& team) const {
    Scratch& scratch           = Scratch::of(team);
    Fp32SplitReport reports[2] = {};
#pragma unroll 1
    for (int operand = 0; operand < 2; ++operand) {
      Fp32SplitReport report;
      float factors[Fp32SplitTile::runs];
      for_tiles(
          both, operand, team, scratch.tile,
          [&](const Fp32SplitTile& tile) { scale_lines(tile, team, scratch.tile, factors); },
          [&](const Fp32SplitTile& tile, Runs& runs) {
#pragma unroll
            for (int r = 0; r < Fp32SplitTile::runs; ++r) {
              report.merge(scaled(tile, factors[r], runs[r]));
              if (tile.has_line(r)) store(tile.place_of(r), tile.part_pitch(), runs[r]);
            }
          });
      (operand == 0 ? reports[0] : reports[1]) = report;
    }
    merge_in_team(team, reports, scratch.reports);
    if (team.team_rank() < 2)
      both.reports(team.team_rank())[team.league_rank()] = (team.team_rank() == 0 ? reports[0] : reports[1]).word();
  }

 private:
  // The factors of the lines of a tile, from samples of them.
  __device__ static void scale_lines(const Fp32SplitTile& tile, const member& team, float* scratch,
                                     float (&factors)[Fp32SplitTile::runs]) {
    Fp32SplitTile::Words words;
    Runs sample;
    tile.fetch_sample(words);
    tile.arrange(team, scratch, words, sample);
#pragma unroll
    for (int r = 0; r < Fp32SplitTile::runs; ++r) {
      std::uint32_t largest = 0;
#pragma unroll
      for (const float element : sample[r]) largest = max(largest, magnitude_bits(__float_as_uint(element)));
      const std::uint32_t scale =
          line_scale_bits(merge_line(largest, [](std::uint32_t a, std::uint32_t b) { return max(a, b); }));
      factors[r] = __uint_as_float(reciprocal_bits(scale));
      if (tile.block == 0) tile.scale(r) = __uint_as_float(scale);
    }
  }

  // Scales a run. Returns what its line asks for.
  __device__ static Fp32SplitReport scaled(const Fp32SplitTile& tile, float factor, float (&run)[Fp32SplitTile::run]) {
    const std::uint32_t scale = reciprocal_bits(__float_as_uint(factor)), large = scaled_back(split_large, scale);
    std::uint32_t smallest = ~0u, largest = 0, not_large = 0;
#pragma unroll
    for (float& element : run) {
      const std::uint32_t magnitude = magnitude_bits(__float_as_uint(element));
      largest                       = max(largest, magnitude);
      smallest                      = min(smallest, magnitude - 1);  // zeros wrap around to the largest
      not_large += magnitude < large ? 1 : 0;
      element *= factor;
    }
    Fp32SplitReport report{not_large, elements_have(smallest, largest, scale)};
    constexpr std::uint32_t any = 0x100;  // above the count of a line
    not_large = merge_line(not_large | (largest > 0 ? any : 0), [](std::uint32_t a, std::uint32_t b) { return a + b; });
    const std::uint32_t behind = split_depth - tile.length();  // padding, which is zero
    report.not_large           = not_large < any ? 0 : not_large % any - behind;
    return report;
  }

  __device__ static void store(std::uint16_t* to, std::int64_t part_pitch, const float (&run)[Fp32SplitTile::run]) {
    Pairs high, low;
#pragma unroll
    for (int e = 0; e < Fp32SplitTile::run; e += 2) {
      high[e / 2]        = ptx::round_to_f16<false>(run[e], run[e + 1]);
      const float2 there = halves(high[e / 2]);
      low[e / 2] =
          ptx::round_to_f16<false>((run[e] - there.x) * split_low_factor, (run[e + 1] - there.y) * split_low_factor);
    }
    Fp32SplitTile::store(to, high);
    Fp32SplitTile::store(to + part_pitch, low);
  }
};

struct SplitToBhalves {
  using teams = SplitTeams;

  Fp32SplitOperands both;

  __device__ void operator()(const member& team) const {
    Scratch& scratch = Scratch::of(team);
    if (route(team, scratch) != Fp32SplitRoute::bhalf_parts) return;
#pragma unroll 1
    for (int operand = 0; operand < 2; ++operand) {
      for_tiles(
          both, operand, team, scratch.tile, [](const Fp32SplitTile&) {},
          [&](const Fp32SplitTile& tile, Runs& runs) {
#pragma unroll
            for (int r = 0; r < Fp32SplitTile::runs; ++r) split(tile, r, runs[r]);
          });
    }
  }

 private:
  // What the reports of all teams of the first pass amount to. The first team stores it for the product.
  __device__ Fp32SplitRoute route(const member& team, Scratch& scratch) const {
    Fp32SplitReport reports[2] = {};
    for (std::uint32_t other = team.team_rank(); other < both.teams; other += Fp32SplitTile::threads)
#pragma unroll
      for (int operand = 0; operand < 2; ++operand)
        reports[operand].merge(Fp32SplitReport::of(both.reports(operand)[other]));
    merge_in_team(team, reports, scratch.reports);
    const Fp32SplitRoute found = split_route(reports[0], reports[1], shortest_block(both.operands[0].depth()));
    if (team.league_rank() == 0 && team.team_rank() == 0) *both.words = static_cast<std::uint32_t>(found);
    return found;
  }

  __device__ static void split(const Fp32SplitTile& tile, int r, float (&run)[Fp32SplitTile::run]) {
    const float factor = __uint_as_float(reciprocal_bits(__float_as_uint(tile.scale(r))));
#pragma unroll
    for (float& element : run) element *= factor;
#pragma unroll
    for (int part = 0; part < Fp32SplitOperand::most_parts; ++part) {
      Pairs pairs;
#pragma unroll
      for (int e = 0; e < Fp32SplitTile::run; e += 2) {
        pairs[e / 2]       = ptx::round_to_bf16<false>(run[e], run[e + 1]);
        const float2 there = bhalves(pairs[e / 2]);
        run[e] -= there.x;
        run[e + 1] -= there.y;
      }
      if (tile.has_line(r)) Fp32SplitTile::store(tile.place_of(r) + part * tile.part_pitch(), pairs);
    }
  }
};

}  // namespace

void launch_half_parts(const Kokkos::Cuda& exec, const KernelLabel& label, const Fp32SplitOperands& operands,
                       const CallableRef& before) {
  launch_kernel(exec, label, operands.teams, SplitToHalves{operands}, before);
}

void launch_bhalf_parts(const Kokkos::Cuda& exec, const KernelLabel& label, const Fp32SplitOperands& operands,
                        const CallableRef& before) {
  launch_kernel(exec, label, operands.teams, SplitToBhalves{operands}, before);
}

}  // namespace Tegula::Impl
