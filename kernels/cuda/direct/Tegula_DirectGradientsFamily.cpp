// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "Tegula_DirectTimes.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "direct";

/// The products that are wanted of dA and dB^T.
std::array<bool, 2> wanted_products(const Call& call) { return {call.dA.data != nullptr, call.dB.data != nullptr}; }

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  const Call& call = calls[0];
  if (const char* reason = gradients_refusal(call, machine)) return reason;
  const auto wanted = wanted_products(call);
  if (!wanted[0] && !wanted[1]) return "neither dA nor dB is wanted";
  if (!wanted[1] && call.dbias.data != nullptr) return "it sums columns of dZ on the way to dB, which is not wanted";
  if (!saved_lies_as_dC(call)) return "what was saved does not lie as dC does";
  return direct_split_refusal(options, machine);
}

/// Both products of a call by tiles of one configuration and clusters of one size: each has as many warps that share
/// the depth of a tile as is best for it.
template <class Bits>
struct GradientTiles {
  std::array<const DirectTile*, 2> tiles{};  // null: not wanted
  DirectCycles cycles{0, 0};
  std::int64_t teams = 0;
  bool is_shared     = false;  // by teams that all have some of the depth
};

/// The tiles of a configuration, or the one that is asked for.
template <class Bits>
GradientTiles<Bits> gradient_tiles(const Call& call, std::size_t config, int cluster, const CudaMachine& machine,
                                   const TileShape& asked) {
  constexpr double matrices = 2;  // dC and saved
  const auto& tiles         = direct_tiles<Bits>;
  const auto wanted         = wanted_products(call);
  GradientTiles<Bits> both;
  for (std::size_t p = 0; p < wanted.size(); ++p) {
    if (!wanted[p]) continue;
    DirectCycles best{0, 0};
    DirectGradient<Bits> arguments{};
    for (const DirectTile& tile : tiles) {
      if (tile.config != config || !can_run(tile.choice, machine)) continue;
      if (asked != TileShape{} && asked != tile.choice.tile) continue;
      arguments = direct_gradient<Bits>(call, p, direct_gradient_reads<Bits>(call, tile.rows, tile.columns), tile.rows,
                                        tile.columns);
      const DirectCycles cycles = direct_cycles<Bits>(tile, arguments, cluster, machine, matrices);
      if (both.tiles[p] != nullptr && cycles.waiting + cycles.issued >= best.waiting + best.issued) continue;
      both.tiles[p] = &tile;
      best          = cycles;
    }
    if (both.tiles[p] == nullptr) return {};
    both.cycles.waiting = std::max(both.cycles.waiting, best.waiting);
    both.cycles.issued += best.issued;
    both.teams += direct_tiles_in<Bits>(*both.tiles[p], arguments) * cluster;
    both.is_shared = both.is_shared || direct_is_shared_well<Bits>(*both.tiles[p], arguments, cluster, machine);
  }
  return both;
}

template <class Bits>
double seconds_of(const Call& call, const GradientTiles<Bits>& both, int cluster, const CudaMachine& machine) {
  const auto products = gradient_products(call, call.dC);
  const double saved  = call.has_constant_slope
                            ? 0
                            : static_cast<double>(call.dC.rows) * static_cast<double>(call.dC.columns) * sizeof(Bits);
  double bytes = 0, arithmetic = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    if (both.tiles[p] == nullptr) continue;
    bytes += product_bytes(products[p]) + saved;
    arithmetic += direct_arithmetic<Bits>(machine, products[p].shape());
  }
  constexpr DirectGradientsModel model = direct_gradients_model<Bits>;
  return model.times *
             direct_seconds(direct_model<Bits>, both.cycles, both.teams, cluster, bytes, arithmetic, machine) +
         model.more;
}

template <class Bits>
void propose_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const bool asks = options.split_k > 0 || options.tile != TileShape{};
  for (std::size_t config = 0; config <= direct_tiles<Bits>.back().config; ++config) {
    for (const int cluster : sharing_teams) {
      if (cluster > 1 && !has_clusters(machine)) continue;
      if (options.split_k > 0 && cluster != options.split_k) continue;
      const auto both = gradient_tiles<Bits>(call, config, cluster, machine, options.tile);
      if (both.teams == 0) continue;
      const bool is_at_once =
          double(both.teams) <= sharing_teams_at_once(machine.multiprocessors, cluster, direct_teams);
      if (!asks && cluster > 1 && !(both.is_shared && is_at_once)) continue;
      const DirectTile& first = *both.tiles[both.tiles[0] == nullptr ? 1 : 0];
      propose({first.choice.tile, {cluster, 1}, false, seconds_of(call, both, cluster, machine)});
    }
  }
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  with_bits(calls[0], [&]<class Bits>() { propose_of_type<Bits>(calls[0], machine, options, propose); });
}

template <class Bits>
std::array<ProductPlan, 2> cut_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                                       const Proposal& proposal) {
  const int cluster        = static_cast<int>(proposal.parts[0]);
  const std::size_t config = direct_tile<Bits>(proposal.tile).config;
  const auto both          = gradient_tiles<Bits>(call, config, cluster, machine, options.tile);
  auto products            = uncut_products(call);
  for (std::size_t p = 0; p < products.size(); ++p) {
    ProductPlan& product = products[p];
    if (both.tiles[p] == nullptr) {
      product = {};
      continue;
    }
    const ConfigChoice& choice = both.tiles[p]->choice;
    product.family             = name;
    product.threads            = choice.threads;
    product.scratch_bytes      = static_cast<std::size_t>(choice.scratch_bytes);
    product.sharing_teams      = cluster;
    cut_into_tiles(product, choice.tile, std::int64_t(machine.multiprocessors) * direct_teams, options);
    cut_inner_dimension(product, 1, sizeof(sum_t<Bits>));
  }
  products[both.tiles[0] == nullptr ? 1 : 0].seconds = proposal.seconds;
  return products;
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return with_bits(calls[0], [&]<class Bits>() { return cut_of_type<Bits>(calls[0], machine, options, proposal); });
}

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { with_input(l.calls[0], [&]<class Input>() { launch_direct_gradients<Input>(l); }); });

}  // namespace

/// All gradients of small layers in one launch: every team forms what it needs of dZ while it reads dC and what was
/// saved.
extern const CudaFamily direct_gradients_family = with_below(
    {name, Covers::gradients, output_gradients, has_output_gradients, refusal, propose, cut, launch}, BelowBy::slopes);

}  // namespace Tegula::Impl
