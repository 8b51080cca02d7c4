// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_LongRows.hpp"
#include "../direct/Tegula_DirectTimes.hpp"
#include "Tegula_NarrowArguments.hpp"
#include "Tegula_NarrowLaunch.hpp"
#include "Tegula_NarrowModel.hpp"
#include "Tegula_NarrowTiles.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "narrow";
constexpr const char* types =
    "it takes half_t or bhalf_t times the same, to the same or float, with an activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) { return call.is_built_in && is_half(call); }

bool has_room(const NarrowTile& tile, const CudaMachine& machine) {
  return static_cast<std::size_t>(tile.choice.scratch_bytes) <= machine.scratch_max;
}

/// A product as kernels see it, with rows as its long side.
struct LongCall {
  NarrowArguments arguments;
  GemmShape shape;

  explicit LongCall(const Call& call) {
    const auto [rows, of_rows] = with_long_rows(product_call<std::uint16_t>(call), call.shape());
    arguments                  = narrow_arguments(rows, of_rows);
    shape                      = of_rows;
  }
};

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  const Call& call = calls[0];
  if (const char* reason = cuda_refusal(call, machine)) return reason;
  const auto [rows, shape] = with_long_rows(product_call<std::uint16_t>(call), call.shape());
  if (shape.k < 1) return "k is 0";
  if (shape.n > narrow_most_lines) return "both m and n are larger than 32";
  if (!has_runs(rows.left)) return "the larger operand has no contiguous direction";
  if (!has_room(narrow_tiles.front(), machine)) return "a team has too little scratch";
  return direct_split_refusal(options, machine);
}

std::int64_t tiles_in(const NarrowTile& tile, const GemmShape& shape) {
  return ceil_div(shape.m, tile.choice.tile.m) * ceil_div(shape.n, tile.choice.tile.n);
}

double seconds_of(const NarrowTile& tile, const Call& product, const LongCall& call, int cluster,
                  const CudaMachine& machine) {
  const DirectModel& model = narrow_model;
  const TileShape& own     = tile.choice.tile;
  const std::int64_t rows = std::min<std::int64_t>(own.m, call.shape.m), columns = call.shape.n;
  const std::int64_t warps = ceil_div(rows, narrow_lines) << tile.depth_warps;
  const double steps = number(ceil_div(ceil_div(call.shape.k, narrow_step), std::int64_t(cluster) << tile.depth_warps));
  const double reads = tile.blocks * narrow_short_reads[std::size_t(call.arguments.how.read_short)];
  const double work  = steps * (model.read[std::size_t(call.arguments.how.long_form)] + reads * model.multiply);
  // Threads go through lines of the tile as the result lies, up to its last line and beyond the ends of lines.
  const std::int64_t sums =
      call.arguments.runs_along_columns ? std::min<std::int64_t>(own.n, columns) * own.m : rows * own.n;
  const std::int64_t turns = ceil_div(sums, std::int64_t(direct_threads) * cluster);
  const double waiting     = model.wait[0] + (steps - 1) * model.wait[1] + model.alone * work +
                         number(turns) * model.store[call.arguments.beta != 0 ? 1 : 0];
  const std::int64_t teams = tiles_in(tile, call.shape) * cluster;
  const DirectCycles cycles{waiting, number(ceil_div(teams, machine.multiprocessors) * warps) * work};
  return direct_seconds(model, cycles, teams, cluster, product_bytes(product),
                        arithmetic_seconds(machine, product.shape(), machine.rates->mma_half), machine);
}

std::int64_t steps_of_teams(const NarrowTile& tile, const GemmShape& shape) {
  return ceil_div(shape.k, std::int64_t(narrow_step) << tile.depth_warps);
}

/// Whether every warp that shares the depth has some of it, and all teams of clusters run at once.
bool is_shared_well(const NarrowTile& tile, const GemmShape& shape, int cluster, const CudaMachine& machine) {
  const std::int64_t slots = std::int64_t(cluster) << tile.depth_warps;
  return (slots == 1 || narrow_step * (slots - 1) < shape.k) &&
         (cluster == 1 || number(tiles_in(tile, shape) * cluster) <= direct_teams_at_once(machine, cluster));
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const LongCall call(calls[0]);
  for (const NarrowTile& tile : narrow_tiles) {
    const TileShape placed = with_long_side(calls[0].shape(), tile.choice.tile);
    if (!has_room(tile, machine)) continue;
    if (options.tile != TileShape{} && options.tile != placed && options.tile != tile.choice.tile) continue;
    direct_for_each_cluster(options, machine, steps_of_teams(tile, call.shape), [&](int cluster, bool is_asked) {
      if (is_asked || is_shared_well(tile, call.shape, cluster, machine))
        propose({placed, {cluster, 1}, false, seconds_of(tile, calls[0], call, cluster, machine)});
    });
  }
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const Call& call           = calls[0];
  const ConfigChoice& choice = narrow_tile(with_long_side(call.shape(), proposal.tile)).choice;
  return {direct_cut(name, call, choice, sizeof(float), machine, options, proposal), {}};
}

#if TEGULA_HAS_MMA
void launch(const CudaLaunch& l) {
  launch_narrow(l.exec, product_call<std::uint16_t>(l.calls[0]), l.plan, l.products[0], l.before);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// A long matrix times up to 32 columns, or as many rows times a long one, in 16 bits: the long operand comes straight
/// from memory to the registers from which tensor cores take it, at the rate of memory, wherever its lines begin.
extern const CudaFamily narrow_family{name, Covers::product, types, takes_types, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
