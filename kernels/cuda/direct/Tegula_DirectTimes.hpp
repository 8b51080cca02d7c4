// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_TIMES_HPP
#define TEGULA_DIRECT_TIMES_HPP

#include <algorithm>
#include <array>
#include <cmath>

#include "../Tegula_SharingTeams.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_DirectGradients.hpp"
#include "Tegula_DirectModel.hpp"
#include "Tegula_DirectTiles.hpp"

/// How long teams of the direct family take, and which teams may share a tile.

namespace Tegula::Impl {

/// Why k cannot be cut as options ask; null if it can.
inline const char* direct_split_refusal(const PlanOptions& options, const CudaMachine& machine) {
  if (options.split_k > 1 && !has_clusters(machine)) return "where there are no clusters, it does not cut k";
  if (options.split_k > 0 && most_sharing(options.split_k) != options.split_k)
    return "clusters, which share k, are of 1, 2, 4 or 8 teams";
  return nullptr;
}

/// Calls visit(cluster, whether options ask for it) for every cluster that may share a tile whose depth has so many
/// steps of a team: the one that is asked for, as far as there are steps, or all that there are. A tile that is asked
/// for may be computed by one team, however much of it that leaves idle.
template <class Visit>
void direct_for_each_cluster(const PlanOptions& options, const CudaMachine& machine, std::int64_t steps,
                             const Visit& visit) {
  const int asked = options.split_k == 0 ? 0 : most_sharing(std::min<std::int64_t>(options.split_k, steps));
  for (const int cluster : sharing_teams) {
    if (asked > 0 && cluster != asked) continue;
    if (cluster > 1 && !has_clusters(machine)) continue;
    visit(cluster, asked > 0 || (options.tile != TileShape{} && cluster == 1));
  }
}

/// Cuts a product as proposed: its depth is shared by a cluster of teams.
inline ProductPlan direct_cut(const char* family, const Call& call, const ConfigChoice& choice, std::size_t sum_bytes,
                              const CudaMachine& machine, const PlanOptions& options, const Proposal& proposal) {
  Proposal uncut        = proposal;
  uncut.parts           = {1, 1};
  ProductPlan product   = cut_as_proposed(family, call, choice, std::int64_t(machine.multiprocessors) * choice.teams,
                                          sum_bytes, options, uncut);
  product.sharing_teams = static_cast<int>(proposal.parts[0]);
  return product;
}

/// What a lane reads of an operand for a chunk, and which of the model's numbers says what that takes.
struct DirectReads {
  double number;
  std::size_t kind;
};

template <class Bits>
DirectReads direct_reads_of(DirectRead by, int lines, int depth, std::int64_t line_stride, std::int64_t depth_stride) {
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
std::int64_t direct_tiles_in(const DirectTile& tile, const DirectArguments<Bits>& call) {
  return ceil_div(call.m, tile.choice.tile.m) * ceil_div(call.n, tile.choice.tile.n);
}

/// The depth that a warp multiplies at a time.
template <class Bits>
int direct_step(const DirectTile& tile, const DirectArguments<Bits>& call) {
  return direct_depth<Bits>(call.how.read_left, call.how.read_right) * tile.depth_lanes;
}

/// What a team computes: so many warps have lines of the product, and each of them so many chunks of the depth, which
/// take a multiprocessor so many cycles. Nothing is read beyond the edges. The left operand is made of so many
/// matrices.
struct DirectWork {
  std::int64_t warps, chunks;
  double cycles;
};

template <class Bits>
DirectWork direct_work(const DirectTile& tile, const DirectArguments<Bits>& call, int cluster, double left_matrices) {
  const DirectModel& model = direct_model<Bits>;
  const TileShape& shape   = tile.choice.tile;
  const int depth          = direct_depth<Bits>(call.how.read_left, call.how.read_right);
  const auto left  = direct_reads_of<Bits>(call.how.read_left, tile.rows, depth, call.left_line, call.left_depth);
  const auto right = direct_reads_of<Bits>(call.how.read_right, tile.columns, depth, call.right_line, call.right_depth);
  const std::int64_t rows = std::min<std::int64_t>(shape.m, call.m), columns = std::min<std::int64_t>(shape.n, call.n);
  const int warp_rows           = (shape.m << tile.depth_warps) / direct_warps;
  const std::int64_t line_warps = ceil_div(rows, warp_rows);
  const double rows_inside      = number(rows) / number(line_warps * warp_rows);
  const double columns_inside   = number(columns) / shape.n;
  const std::int64_t chunks     = ceil_div(ceil_div(call.depth, direct_step(tile, call)), cluster << tile.depth_warps);
  const double chunk            = left_matrices * rows_inside * left.number * model.read[left.kind] +
                       columns_inside * right.number * model.read[right.kind] +
                       tile.rows * tile.columns * depth * model.multiply;
  return {line_warps << tile.depth_warps, chunks, number(chunks) * chunk};
}

/// Cycles of the teams of a product: each waits for what it reads, batch after batch, while others read and multiply,
/// and stores its sums turn by turn, each of which takes `finish` longer than that of a plain product; and the
/// multiprocessor with most teams reads and multiplies for all of them.
struct DirectCycles {
  double waiting, issued;
};

template <class Bits>
DirectCycles direct_cycles(const DirectTile& tile, const DirectArguments<Bits>& call, int cluster,
                           const CudaMachine& machine, double left_matrices = 1, double finish = 0) {
  const DirectModel& model = direct_model<Bits>;
  const TileShape& shape   = tile.choice.tile;
  const DirectWork work    = direct_work(tile, call, cluster, left_matrices);
  // Threads go through lines of the tile as the result lies, up to its last line and beyond the ends of lines.
  const std::int64_t sums  = call.runs_along_columns ? std::min<std::int64_t>(shape.n, call.n) * shape.m
                                                     : std::min<std::int64_t>(shape.m, call.m) * shape.n;
  const std::int64_t turns = ceil_div(sums, std::int64_t(direct_threads) * cluster);
  const double batches =
      number(ceil_div(work.chunks, left_matrices > 1 ? direct_gradient_batch(tile.batch) : tile.batch));
  const double waiting = model.wait[0] + (batches - 1) * model.wait[1] + model.alone * work.cycles +
                         number(turns) * (model.store[call.beta != 0 ? 1 : 0] + finish);
  const std::int64_t teams = direct_tiles_in(tile, call) * cluster;
  return {waiting, number(ceil_div(teams, machine.multiprocessors) * work.warps) * work.cycles};
}

/// Seconds of so many teams, which run in rounds, so many at once on a multiprocessor, move so many bytes, and whose
/// multiply-adds alone would take so long.
inline double direct_seconds(const DirectModel& model, const DirectCycles& cycles, std::int64_t teams, int cluster,
                             double bytes, double arithmetic, const CudaMachine& machine, int at_once = direct_teams) {
  const CudaRates& rates = *machine.rates;
  const double rounds    = std::ceil(number(teams) / sharing_teams_at_once(machine.multiprocessors, cluster, at_once));
  const double all =
      rounds * cycles.waiting + cycles.issued + (cluster > 1 ? model.cluster[sharing_number(cluster) - 1] : 0);
  return rates.kernel + model.start +
         std::max({bytes / rates.memory, arithmetic, bytes / (model.memory * rates.memory) + all / rates.clock});
}

/// Seconds of the multiply-adds of a product.
template <class Bits>
double direct_arithmetic(const CudaMachine& machine, const GemmShape& shape) {
  return arithmetic_seconds(machine, shape, sizeof(Bits) == 8 ? machine.rates->fma_double : machine.rates->fma_float);
}

/// Whether every warp that shares the depth has some of it, and all teams of clusters run at once.
template <class Bits>
bool direct_is_shared_well(const DirectTile& tile, const DirectArguments<Bits>& call, int cluster,
                           const CudaMachine& machine) {
  const std::int64_t slots = std::int64_t(cluster) << tile.depth_warps;
  return (slots == 1 || direct_step(tile, call) * (slots - 1) < call.depth) &&
         (cluster == 1 || number(direct_tiles_in(tile, call) * cluster) <=
                              sharing_teams_at_once(machine.multiprocessors, cluster, direct_teams));
}

}  // namespace Tegula::Impl

#endif
