// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SplitPass.hpp"

#include "Tegula_LaunchTeams.hpp"
#include "Tegula_SplitTile.cuh"

namespace Tegula::Impl {
namespace {

constexpr int warp_lanes = 32, warps = SplitTile::threads / warp_lanes;
constexpr unsigned all_lanes = 0xFFFFFFFF;

using policy = Kokkos::TeamPolicy<Kokkos::Cuda, Kokkos::LaunchBounds<SplitTile::threads, split_teams_at_once>>;
using member = policy::member_type;

using Runs  = float[SplitTile::runs][SplitTile::run];
using Pairs = std::uint32_t[SplitTile::run / 2];

__device__ float2 halves(std::uint32_t pair) {
  return __half22float2(__halves2half2(__ushort_as_half(static_cast<unsigned short>(pair)),
                                       __ushort_as_half(static_cast<unsigned short>(pair >> 16))));
}
__device__ float2 bhalves(std::uint32_t pair) {
  return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xFFFF0000u)};
}

/// Of the threads that have a line, all get what `merge` makes of their values.
template <class T, class Merge>
__device__ T merge_line(T value, const Merge& merge) {
#pragma unroll
  for (int apart = SplitTile::line_threads / 2; apart > 0; apart /= 2)
    value = merge(value, __shfl_xor_sync(all_lanes, value, apart));
  return value;
}

/// What the threads of a warp report, in all of them.
__device__ SplitReport merged(const SplitReport& report) {
  return {__reduce_max_sync(all_lanes, report.not_large), __reduce_or_sync(all_lanes, report.has)};
}

/// A team's share of the tiles of an operand: neighbours. Teams share those of both operands, one after the other.
struct Share {
  std::uint32_t begin, end;

  __device__ Share(const SplitOperands& both, int operand, const member& team) {
    const auto left = static_cast<std::uint64_t>(both.operands[0].tiles());
    const auto all  = left + static_cast<std::uint64_t>(both.operands[1].tiles());
    const auto edge = [&](std::uint64_t rank) {
      const std::uint64_t tile = all * rank / static_cast<std::uint64_t>(team.league_size());
      return static_cast<std::uint32_t>(operand == 0 ? min(tile, left) : tile - min(tile, left));
    };
    begin = edge(static_cast<std::uint64_t>(team.league_rank()));
    end   = edge(static_cast<std::uint64_t>(team.league_rank()) + 1);
  }
};

/// Calls function(tile, runs) for a team's share of an operand, while the next tile is read; begin(tile) before the
/// first tile of the same lines.
template <class Begin, class Function>
__device__ void for_tiles(const SplitOperands& both, int operand, const member& team, float* scratch,
                          const Begin& begin, const Function& function) {
  const Share share(both, operand, team);
  const auto at = [&](std::uint32_t number) { return SplitTile(both.operands[operand], number, team.team_rank()); };
  SplitTile::Words words;
  if (share.begin < share.end) at(share.begin).fetch(words);
  for (std::uint32_t number = share.begin; number < share.end; ++number) {
    const SplitTile tile = at(number);
    if (number == share.begin || tile.block == 0) begin(tile);
    Runs runs;
    tile.arrange(team, scratch, words, runs);
    if (number + 1 < share.end) at(number + 1).fetch(words);
    function(tile, runs);
  }
}

/// Merges the reports of a team's threads; thread 0 gets the result.
__device__ SplitReport merged_in_team(const member& team, const SplitReport& report, std::uint32_t* scratch) {
  const SplitReport of_warp = merged(report);
  if (team.team_rank() % warp_lanes == 0) scratch[team.team_rank() / warp_lanes] = of_warp.word();
  team.team_barrier();
  SplitReport all;
  if (team.team_rank() == 0)
    for (int warp = 0; warp < warps; ++warp) all.merge(SplitReport::of(scratch[warp]));
  team.team_barrier();
  return all;
}

/// A team's scratch: a tile on its way, and reports.
struct Scratch {
  float tile[SplitTile::scratch_floats];
  std::uint32_t reports[warps];

  __device__ static Scratch& of(const member& team) {
    return *static_cast<Scratch*>(team.team_scratch(0).get_shmem_aligned(int(sizeof(Scratch)), 16));
  }
};

struct SplitToHalves {
  SplitOperands both;

  __device__ void operator()(const member& team) const {
    Scratch& scratch = Scratch::of(team);
#pragma unroll 1
    for (int operand = 0; operand < 2; ++operand) {
      SplitReport report;
      float factors[SplitTile::runs];
      for_tiles(
          both, operand, team, scratch.tile,
          [&](const SplitTile& tile) { scale_lines(tile, team, scratch.tile, factors); },
          [&](const SplitTile& tile, Runs& runs) {
#pragma unroll
            for (int r = 0; r < SplitTile::runs; ++r) {
              report.merge(scaled(tile, factors[r], runs[r]));
              store(tile, r, runs[r]);
            }
          });
      report = merged_in_team(team, report, scratch.reports);
      if (team.team_rank() == 0) both.reports(operand)[team.league_rank()] = report.word();
    }
  }

 private:
  // What elements of a tile's lines are to be multiplied by, from their samples.
  __device__ static void scale_lines(const SplitTile& tile, const member& team, float* scratch,
                                     float (&factors)[SplitTile::runs]) {
    SplitTile::Words words;
    Runs sample;
    tile.fetch_sample(words);
    tile.arrange(team, scratch, words, sample);
#pragma unroll
    for (int r = 0; r < SplitTile::runs; ++r) {
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
  __device__ static SplitReport scaled(const SplitTile& tile, float factor, float (&run)[SplitTile::run]) {
    const std::uint32_t scale = reciprocal_bits(__float_as_uint(factor)), large = scaled_back(split_large, scale);
    std::uint32_t smallest = ~0u, largest = 0, not_large = 0;
#pragma unroll
    for (float& element : run) {
      const std::uint32_t magnitude = magnitude_bits(__float_as_uint(element));
      largest                       = max(largest, magnitude);
      smallest                      = min(smallest, magnitude - 1);  // zeros become the largest
      not_large += magnitude < large ? 1 : 0;
      element *= factor;
    }
    SplitReport report{not_large, elements_have(smallest, largest, scale)};
    constexpr std::uint32_t any = 0x100;  // beyond a line's count
    not_large = merge_line(not_large | (largest > 0 ? any : 0), [](std::uint32_t a, std::uint32_t b) { return a + b; });
    const std::uint32_t behind = split_depth - tile.length();  // zeros that are no elements
    report.not_large           = not_large < any ? 0 : not_large % any - behind;
    return report;
  }

  __device__ static void store(const SplitTile& tile, int r, const float (&run)[SplitTile::run]) {
    Pairs high, low;
#pragma unroll
    for (int e = 0; e < SplitTile::run; e += 2) {
      high[e / 2]        = ptx::round_to_f16<false>(run[e], run[e + 1]);
      const float2 there = halves(high[e / 2]);
      low[e / 2] =
          ptx::round_to_f16<false>((run[e] - there.x) * split_low_factor, (run[e + 1] - there.y) * split_low_factor);
    }
    tile.store(0, r, high);
    tile.store(1, r, low);
  }
};

struct SplitToBhalves {
  SplitOperands both;

  __device__ void operator()(const member& team) const {
    Scratch& scratch = Scratch::of(team);
    if (route(team, scratch) != SplitRoute::bhalf_parts) return;
#pragma unroll 1
    for (int operand = 0; operand < 2; ++operand) {
      for_tiles(
          both, operand, team, scratch.tile, [](const SplitTile&) {},
          [&](const SplitTile& tile, Runs& runs) {
#pragma unroll
            for (int r = 0; r < SplitTile::runs; ++r) split(tile, r, runs[r]);
          });
    }
  }

 private:
  // What the reports of all teams of the first pass amount to. The first team writes it down for the product.
  __device__ SplitRoute route(const member& team, Scratch& scratch) const {
    SplitReport reports[2];
    for (std::uint32_t other = team.team_rank(); other < both.teams; other += SplitTile::threads)
#pragma unroll
      for (int operand = 0; operand < 2; ++operand)
        reports[operand].merge(SplitReport::of(both.reports(operand)[other]));
#pragma unroll
    for (SplitReport& report : reports) report = merged_in_team(team, report, scratch.reports);
    if (team.team_rank() == 0) {
      const SplitRoute found = split_route(reports[0], reports[1], shortest_block(both.operands[0].depth()));
      scratch.reports[0]     = static_cast<std::uint32_t>(found);
      if (team.league_rank() == 0) *both.words = scratch.reports[0];
    }
    team.team_barrier();
    return static_cast<SplitRoute>(scratch.reports[0]);
  }

  __device__ static void split(const SplitTile& tile, int r, float (&run)[SplitTile::run]) {
    const float factor = __uint_as_float(reciprocal_bits(__float_as_uint(tile.scale(r))));
#pragma unroll
    for (float& element : run) element *= factor;
#pragma unroll
    for (int part = 0; part < SplitOperand::most_parts; ++part) {
      Pairs pairs;
#pragma unroll
      for (int e = 0; e < SplitTile::run; e += 2) {
        pairs[e / 2]       = ptx::round_to_bf16<false>(run[e], run[e + 1]);
        const float2 there = bhalves(pairs[e / 2]);
        run[e] -= there.x;
        run[e + 1] -= there.y;
      }
      tile.store(part, r, pairs);
    }
  }
};

template <class Kernel>
void launch(const Kokkos::Cuda& exec, const std::string& label, const Kernel& kernel) {
  launch_teams(label, policy(exec, static_cast<int>(kernel.both.teams), SplitTile::threads), sizeof(Scratch), kernel);
}

}  // namespace

void launch_half_parts(const Kokkos::Cuda& exec, const std::string& label, const SplitOperands& operands) {
  launch(exec, label + "[f16 parts]", SplitToHalves{operands});
}

void launch_bhalf_parts(const Kokkos::Cuda& exec, const std::string& label, const SplitOperands& operands) {
  launch(exec, label + "[bf16 parts]", SplitToBhalves{operands});
}

}  // namespace Tegula::Impl
