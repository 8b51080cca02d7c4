// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_LongRows.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_DirectArguments.hpp"
#include "Tegula_DirectLaunch.hpp"
#include "Tegula_DirectModel.hpp"
#include "Tegula_DirectTiles.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "direct";
constexpr const char* types =
    "it takes float or double throughout, or half_t or bhalf_t times the same, to the same or float, with an "
    "activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) { return call.is_built_in && (is_float_or_double(call) || is_half(call)); }

/// The teams that may share the depth of a tile, one of these numbers.
constexpr std::array clusters{1, 2, 4, direct_cluster};

bool has_clusters(const CudaMachine& machine) { return machine.major >= 9 && machine.has_clusters; }

/// The largest one that is not beyond so many teams.
int largest_cluster(std::int64_t teams) {
  return *std::find_if(clusters.rbegin(), clusters.rend(), [&](int cluster) { return cluster <= teams; });
}

bool has_room(const DirectTile& tile, const CudaMachine& machine) {
  return static_cast<std::size_t>(tile.choice.scratch_bytes) <= machine.scratch_max;
}

bool has_room_for_any(const Call& call, const CudaMachine& machine) {
  return with_bits(call, [&]<class Bits>() {
    const auto& tiles = direct_tiles<Bits>;
    return std::any_of(tiles.begin(), tiles.end(), [&](const DirectTile& tile) { return has_room(tile, machine); });
  });
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  if (calls[0].shape().k < 1) return "k is 0";
  if (!has_room_for_any(calls[0], machine)) return "a team has too little scratch";
  if (options.split_k > 1 && !has_clusters(machine)) return "where there are no clusters, it does not cut k";
  if (options.split_k > 0 && largest_cluster(options.split_k) != options.split_k)
    return "clusters, which share k, are of 1, 2, 4 or 8 teams";
  return nullptr;
}

/// What a lane reads of an operand for a chunk, and which of the model's numbers says what that takes.
struct DirectReads {
  double number;
  std::size_t kind;
};

template <class Bits>
DirectReads reads_of(DirectRead by, int lines, int depth, std::int64_t line_stride, std::int64_t depth_stride) {
  const int packs = lines * depth * static_cast<int>(sizeof(Bits)) / 16;
  switch (by) {
    case DirectRead::depth:
      return {static_cast<double>(std::max(packs, lines)), 0};
    case DirectRead::lines:
      return {static_cast<double>(std::max(packs, depth)), 1};
    default:
      return {static_cast<double>(lines * depth), depth_stride < line_stride ? std::size_t(2) : std::size_t(3)};
  }
}

template <class Bits>
std::int64_t tiles_of(const DirectTile& tile, const DirectArguments<Bits>& call) {
  return ceil_div(call.m, tile.choice.tile.m) * ceil_div(call.n, tile.choice.tile.n);
}

/// The place of a cluster among clusters.
std::size_t number_of(int cluster) {
  return static_cast<std::size_t>(std::find(clusters.begin(), clusters.end(), cluster) - clusters.begin());
}

/// The teams of a device that run at once.
double teams_at_once(const CudaMachine& machine, int cluster) {
  return direct_at_once[number_of(cluster)] * direct_teams * machine.multiprocessors;
}

/// The depth that a warp multiplies at a time.
template <class Bits>
int step_of(const DirectTile& tile, const DirectArguments<Bits>& call) {
  return direct_depth<Bits>(call.read_left, call.read_right) * tile.depth_lanes;
}

/// What a team computes: so many warps have lines of the product, and each of them so many chunks of the depth, which
/// take a multiprocessor so many cycles. Nothing is read beyond the edges.
struct DirectWork {
  std::int64_t warps, chunks;
  double cycles;
};

template <class Bits>
DirectWork work_of(const DirectTile& tile, const DirectArguments<Bits>& call, int cluster) {
  const DirectModel& model = direct_model<Bits>;
  const TileShape& shape   = tile.choice.tile;
  const int depth          = direct_depth<Bits>(call.read_left, call.read_right);
  const auto left          = reads_of<Bits>(call.read_left, tile.rows, depth, call.left_line, call.left_depth);
  const auto right         = reads_of<Bits>(call.read_right, tile.columns, depth, call.right_line, call.right_depth);
  const std::int64_t rows = std::min<std::int64_t>(shape.m, call.m), columns = std::min<std::int64_t>(shape.n, call.n);
  const int warp_rows           = (shape.m << tile.depth_warps) / direct_warps;
  const std::int64_t line_warps = ceil_div(rows, warp_rows);
  const double rows_inside      = number(rows) / number(line_warps * warp_rows);
  const double columns_inside   = number(columns) / shape.n;
  const std::int64_t chunks     = ceil_div(ceil_div(call.depth, step_of(tile, call)), cluster << tile.depth_warps);
  const double chunk            = rows_inside * left.number * model.read[left.kind] +
                       columns_inside * right.number * model.read[right.kind] +
                       tile.rows * tile.columns * depth * model.multiply;
  return {line_warps << tile.depth_warps, chunks, number(chunks) * chunk};
}

/// Cycles of the multiprocessor with most teams, some of which run at a time: each waits for what it reads, batch after
/// batch, while the others read and multiply, and stores its sums turn by turn.
template <class Bits>
double cycles_of(const DirectTile& tile, const DirectArguments<Bits>& call, int cluster, const CudaMachine& machine) {
  const DirectModel& model = direct_model<Bits>;
  const TileShape& shape   = tile.choice.tile;
  const DirectWork work    = work_of(tile, call, cluster);
  const std::int64_t sums  = std::min<std::int64_t>(shape.m, call.m) * std::min<std::int64_t>(shape.n, call.n);
  const std::int64_t turns = ceil_div(sums, std::int64_t(direct_threads) * cluster);
  const double waiting     = model.wait[0] + number(ceil_div(work.chunks, tile.batch) - 1) * model.wait[1] +
                         model.alone * work.cycles + number(turns) * model.store[call.beta != 0 ? 1 : 0];
  const std::int64_t teams = tiles_of(tile, call) * cluster;
  const double rounds      = std::ceil(number(teams) / teams_at_once(machine, cluster));
  return rounds * waiting + number(ceil_div(teams, machine.multiprocessors) * work.warps) * work.cycles +
         (cluster > 1 ? model.cluster[number_of(cluster) - 1] : 0);
}

template <class Bits>
double seconds_of(const DirectTile& tile, const Call& product, const DirectArguments<Bits>& call, int cluster,
                  const CudaMachine& machine) {
  const CudaRates& rates   = *machine.rates;
  const DirectModel& model = direct_model<Bits>;
  const double cycles      = cycles_of(tile, call, cluster, machine);
  const double bytes       = product_bytes(product);
  const double units       = sizeof(Bits) == 8 ? rates.fma_double : rates.fma_float;
  return rates.kernel + model.start +
         std::max({bytes / rates.memory, arithmetic_seconds(machine, product.shape(), units),
                   bytes / (model.memory * rates.memory) + cycles / rates.clock});
}

/// Whether every warp that shares the depth has some of it, and all teams of clusters run at once.
template <class Bits>
bool is_shared_well(const DirectTile& tile, const DirectArguments<Bits>& call, int cluster,
                    const CudaMachine& machine) {
  const std::int64_t slots = std::int64_t(cluster) << tile.depth_warps;
  return (slots == 1 || step_of(tile, call) * (slots - 1) < call.depth) &&
         (cluster == 1 || number(tiles_of(tile, call) * cluster) <= teams_at_once(machine, cluster));
}

/// The cluster that is asked for, as far as the depth has steps of a team; 0 if none is.
template <class Bits>
int cluster_asked_for(const DirectTile& tile, const DirectArguments<Bits>& call, const PlanOptions& options) {
  if (options.split_k == 0) return 0;
  const std::int64_t steps = ceil_div(call.depth, std::int64_t(step_of(tile, call)) << tile.depth_warps);
  return largest_cluster(std::min<std::int64_t>(options.split_k, steps));
}

template <class Bits>
void propose_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const auto [rows, shape] = with_long_rows(product_call<Bits>(call), call.shape());
  for (const DirectTile& tile : direct_tiles<Bits>) {
    const TileShape& own   = tile.choice.tile;
    const TileShape placed = with_long_side(call.shape(), own);
    if (!has_room(tile, machine)) continue;
    if (options.tile != TileShape{} && options.tile != placed && options.tile != own) continue;
    const auto arguments = direct_arguments(rows, shape, tile.rows, tile.columns);
    const int asked      = cluster_asked_for(tile, arguments, options);
    for (const int cluster : clusters) {
      if (asked > 0 && cluster != asked) continue;
      if (cluster > 1 && !has_clusters(machine)) continue;
      const bool is_asked = asked > 0 || (options.tile != TileShape{} && cluster == 1);
      if (!is_asked && !is_shared_well(tile, arguments, cluster, machine)) continue;
      propose({placed, {cluster, 1}, false, seconds_of(tile, call, arguments, cluster, machine)});
    }
  }
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  with_bits(calls[0], [&]<class Bits>() { propose_of_type<Bits>(calls[0], machine, options, propose); });
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const Call& call = calls[0];
  return with_bits(call, [&]<class Bits>() -> std::array<ProductPlan, 2> {
    const ConfigChoice& choice = direct_tile<Bits>(with_long_side(call.shape(), proposal.tile)).choice;
    Proposal uncut             = proposal;
    uncut.parts                = {1, 1};
    ProductPlan product   = cut_as_proposed(name, call, choice, std::int64_t(machine.multiprocessors) * direct_teams,
                                            sizeof(sum_t<Bits>), options, uncut);
    product.sharing_teams = static_cast<int>(proposal.parts[0]);
    return {product, {}};
  });
}

#if TEGULA_HAS_MMA
void launch(const CudaLaunch& l) {
  with_bits(l.calls[0], [&]<class Bits>() {
    launch_direct(l.exec, product_call<Bits>(l.calls[0]), l.plan, l.products[0], l.before);
  });
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Small products, short sums and few rows or columns, of any strides: operands come straight from memory to registers,
/// and lanes, warps and teams share the depth, so that a call takes little more than a launch. All element types, by
/// fused multiply-adds, on compute capability 8.0 and newer.
extern const CudaFamily direct_family{name, Covers::product, types, takes_types, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
