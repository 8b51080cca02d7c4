// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_LongRows.hpp"
#include "../direct/Tegula_DirectTimes.hpp"
#include "Tegula_NarrowArguments.hpp"
#include "Tegula_NarrowModel.hpp"
#include "Tegula_NarrowTiles.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "narrow";
constexpr const char* types =
    "it takes half_t or bhalf_t times the same, to the same or float, or double throughout, with an activation that "
    "Tegula brings, on Cuda";

bool takes_types(const Call& call) { return call.is_built_in && (is_half(call) || is_uniform(call, Element::f64)); }

/// Calls function.operator()<Bits>() with the type that operands are passed on as.
template <class Function>
decltype(auto) with_narrow_bits(const Call& call, const Function& function) {
  return is_double(call) ? function.template operator()<double>() : function.template operator()<std::uint16_t>();
}

/// A product as kernels see it, with rows as its long side.
template <class Bits>
struct LongCall {
  NarrowArguments<Bits> arguments;
  GemmShape shape;

  explicit LongCall(const Call& call) {
    const auto [rows, of_rows] = with_long_rows(product_call<Bits>(call), call.shape());
    arguments                  = narrow_arguments(rows, of_rows);
    shape                      = of_rows;
  }
};

template <class Bits>
const char* refusal_of_type(const Call& call, const CudaMachine& machine) {
  const auto [rows, shape] = with_long_rows(product_call<Bits>(call), call.shape());
  if (shape.k < 1) return "k is 0";
  if (shape.n > narrow_most_lines) return "both m and n are larger than 32";
  if (!has_runs(rows.left)) return "the larger operand has no contiguous direction";
  if (!can_run(narrow_tiles<Bits>.front().choice, machine)) return "a team has too little scratch";
  return nullptr;
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  const char* const reason =
      with_narrow_bits(calls[0], [&]<class Bits>() { return refusal_of_type<Bits>(calls[0], machine); });
  return reason != nullptr ? reason : direct_split_refusal(options, machine);
}

std::int64_t tiles_in(const NarrowTile& tile, const GemmShape& shape) {
  return ceil_div(shape.m, tile.choice.tile.m) * ceil_div(shape.n, tile.choice.tile.n);
}

template <class Bits>
double seconds_of(const NarrowTile& tile, const Call& product, const LongCall<Bits>& call, int cluster, double finish,
                  const CudaMachine& machine) {
  const DirectModel& model = narrow_model<Bits>;
  const TileShape& own     = tile.choice.tile;
  const std::int64_t rows = std::min<std::int64_t>(own.m, call.shape.m), columns = call.shape.n;
  const std::int64_t warps = ceil_div(rows, narrow_lines) << tile.depth_warps;
  const double steps =
      number(ceil_div(ceil_div(call.shape.k, narrow_step<Bits>), std::int64_t(cluster) << tile.depth_warps));
  const double reads = tile.blocks * narrow_short_reads<Bits>[std::size_t(call.arguments.how.read_short)];
  const double work  = steps * (model.read[std::size_t(call.arguments.how.long_form)] + reads * model.multiply);
  // Threads go through lines of the tile as the result lies, up to its last line and beyond the ends of lines.
  const std::int64_t sums =
      call.arguments.runs_along_columns ? std::min<std::int64_t>(own.n, columns) * own.m : rows * own.n;
  const std::int64_t turns = ceil_div(sums, std::int64_t(direct_threads) * cluster);
  const double waiting     = model.wait[0] + (steps - 1) * model.wait[1] + model.alone * work +
                         number(turns) * (model.store[call.arguments.beta != 0 ? 1 : 0] + finish);
  const std::int64_t teams = tiles_in(tile, call.shape) * cluster;
  const DirectCycles cycles{waiting, number(ceil_div(teams, machine.multiprocessors) * warps) * work};
  const double rate = sizeof(Bits) == 2 ? machine.rates->mma_half : machine.rates->mma_double;
  return direct_seconds(model, cycles, teams, cluster, product_bytes(product),
                        arithmetic_seconds(machine, product.shape(), rate), machine, tile.choice.teams);
}

/// Whether every warp that shares the depth has some of it, and all teams of clusters run at once.
template <class Bits>
bool is_shared_well(const NarrowTile& tile, const GemmShape& shape, int cluster, const CudaMachine& machine) {
  const std::int64_t slots = std::int64_t(cluster) << tile.depth_warps;
  const double at_once     = sharing_teams_at_once(machine.multiprocessors, cluster, tile.choice.teams);
  return (slots == 1 || narrow_step<Bits> * (slots - 1) < shape.k) &&
         (cluster == 1 || number(tiles_in(tile, shape) * cluster) <= at_once);
}

/// Whether a tile is not twice as wide as it need be, nor so narrow that the long operand is read more than twice.
template <class Bits>
bool is_of_width(const NarrowTile& tile, const GemmShape& shape) {
  const bool is_narrowest    = tile.blocks == narrow_tiles<Bits>.front().blocks,
             is_widest       = tile.blocks == narrow_tiles<Bits>.back().blocks;
  const std::int64_t columns = tile.choice.tile.n;
  return (is_narrowest || columns < 2 * shape.n) && (is_widest || 2 * columns >= shape.n);
}

template <class Bits>
void propose_of_type(const Call& of, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const LongCall<Bits> call(of);
  const double finish = finish_of(narrow_model<Bits>, modelled(of));
  for (const NarrowTile& tile : narrow_tiles<Bits>) {
    const TileShape placed = with_long_side(of.shape(), tile.choice.tile);
    const bool is_asked    = options.tile == placed || options.tile == tile.choice.tile;
    if (!can_run(tile.choice, machine) || !(is_asked || options.tile == TileShape{})) continue;
    if (!is_asked && !is_of_width<Bits>(tile, call.shape)) continue;
    const std::int64_t steps = ceil_div(call.shape.k, std::int64_t(narrow_step<Bits>) << tile.depth_warps);
    direct_for_each_cluster(options, machine, steps, [&](int cluster, bool is_cluster_asked) {
      if (is_cluster_asked || is_shared_well<Bits>(tile, call.shape, cluster, machine))
        propose({placed, {cluster, 1}, false, seconds_of(tile, of, call, cluster, finish, machine)});
    });
  }
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  with_narrow_bits(calls[0], [&]<class Bits>() { propose_of_type<Bits>(calls[0], machine, options, propose); });
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const Call& call = calls[0];
  return with_narrow_bits(call, [&]<class Bits>() -> std::array<ProductPlan, 2> {
    const ConfigChoice& choice = narrow_tile<Bits>(with_long_side(call.shape(), proposal.tile)).choice;
    return {direct_cut(name, call, choice, sizeof(sum_t<Bits>), machine, options, proposal), {}};
  });
}

constexpr auto launch = launch_if<has_mma_kernels>([](const auto& l) {
  with_input_of<double, F16, Bf16>(l.calls[0], [&]<class Input>() { launch_narrow<Input>(l); });
});

}  // namespace

/// A long matrix times up to 32 columns, or as many rows times a long one, in 16 bits and double: the long operand
/// comes straight from memory to the registers from which tensor cores take it, at the rate of memory, wherever its
/// lines begin.
extern const CudaFamily narrow_family{name, Covers::product, types, takes_types, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
