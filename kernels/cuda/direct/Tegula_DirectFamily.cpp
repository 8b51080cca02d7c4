// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_LongRows.hpp"
#include "Tegula_DirectTimes.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "direct";

bool has_room_for_any(const Call& call, const CudaMachine& machine) {
  return with_bits(call, [&]<class Bits>() {
    const auto& tiles = direct_tiles<Bits>;
    return std::any_of(tiles.begin(), tiles.end(),
                       [&](const DirectTile& tile) { return can_run(tile.choice, machine); });
  });
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  if (calls[0].shape().k < 1) return "k is 0";
  if (!has_room_for_any(calls[0], machine)) return "a team has too little scratch";
  return direct_split_refusal(options, machine);
}

template <class Bits>
double seconds_of(const DirectTile& tile, const Call& product, const DirectArguments<Bits>& call, int cluster,
                  double finish, const CudaMachine& machine) {
  return direct_seconds(direct_model<Bits>, direct_cycles(tile, call, cluster, machine, 1, finish),
                        direct_tiles_in(tile, call) * cluster, cluster, product_bytes(product),
                        direct_arithmetic<Bits>(machine, product.shape()), machine);
}

template <class Bits>
void propose_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const auto [rows, shape] = with_long_rows(product_call<Bits>(call), call.shape());
  const double finish      = finish_of(direct_model<Bits>, modelled(call));
  for (const DirectTile& tile : direct_tiles<Bits>) {
    const TileShape& own   = tile.choice.tile;
    const TileShape placed = with_long_side(call.shape(), own);
    if (!can_run(tile.choice, machine)) continue;
    if (options.tile != TileShape{} && options.tile != placed && options.tile != own) continue;
    const auto arguments = direct_arguments(rows, shape, tile.rows, tile.columns);
    const std::int64_t steps =
        ceil_div(arguments.depth, std::int64_t(direct_step(tile, arguments)) << tile.depth_warps);
    direct_for_each_cluster(options, machine, steps, [&](int cluster, bool is_asked) {
      if (is_asked || direct_is_shared_well(tile, arguments, cluster, machine))
        propose({placed, {cluster, 1}, false, seconds_of(tile, call, arguments, cluster, finish, machine)});
    });
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
    return {direct_cut(name, call, choice, sizeof(sum_t<Bits>), machine, options, proposal), {}};
  });
}

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { with_input(l.calls[0], [&]<class Input>() { launch_direct<Input>(l); }); });

}  // namespace

/// Small products, short sums and few rows or columns, of any strides: operands come straight from memory to registers,
/// and lanes, warps and teams share the depth, so that a call takes little more than a launch. All element types, by
/// fused multiply-adds, on compute capability 8.0 and newer.
extern const CudaFamily direct_family =
    with_below({name, Covers::product, any_type, is_of_any_type, refusal, propose, cut, launch}, BelowBy::slopes);

}  // namespace Tegula::Impl
