// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_OuterDepth.hpp"
#include "Tegula_OuterModel.hpp"
#include "Tegula_OuterTiles.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "outer";

/// Calls function.operator()<Bits>(tiles) with the tiles for a call.
template <class Function>
decltype(auto) with_tiles(const Call& call, const Function& function) {
  return with_bits(call, [&]<class Bits>() -> decltype(auto) {
    return function.template operator()<Bits>(std::span<const ConfigChoice>(outer_tiles<sum_t<Bits>>));
  });
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  if (options.split_k > 1) return "it does not cut k";
  return with_tiles(calls[0], [&]<class Bits>(std::span<const ConfigChoice> tiles) -> const char* {
    const std::int64_t k = calls[0].shape().k;
    if (k < 1 || k > tiles.back().tile.k) return "k is 0, or sums are longer than its tiles";
    return can_run(tiles.front(), machine) ? nullptr : "a team has too little scratch";
  });
}

/// Tiles lie along the contiguous direction of C.
bool lies_along_columns(const Call& call) { return call.C.any().is_column_major(); }

template <class Bits>
double seconds_of(const ConfigChoice& choice, const ModelledProduct& product, bool along_columns,
                  const CudaMachine& machine) {
  const CudaRates& rates   = *machine.rates;
  const OuterModel& model  = outer_model<Bits>;
  const GemmShape shape    = along_columns ? product.shape.transposed() : product.shape;
  const Fetched right      = product.fetched[along_columns ? 0 : 1];
  const std::int64_t rows  = std::min<std::int64_t>(choice.tile.m, shape.m);
  const std::int64_t tiles = ceil_div(shape.m, choice.tile.m) * ceil_div(shape.n, choice.tile.n);
  const std::int64_t most  = ceil_div(tiles, machine.multiprocessors);
  const double steps       = number(ceil_div(shape.k, 4) * 4);
  const double work        = number(shape.k) * model.hold[std::size_t(right)] +
                      number(rows) * (model.row + steps * model.step + finish_of(model, product));
  const double rounds     = number(ceil_div(most, choice.teams));
  const double waiting    = rounds * (model.wait + model.alone * work) / rates.clock;
  const double arithmetic = number(most) * work / rates.clock;
  const double bytes      = product.operand_bytes + product.result_bytes;
  const double memory     = bytes / (model.memory[std::size_t(product.stored)] * rates.memory);
  const double units      = sizeof(Bits) == 8 ? rates.fma_double : rates.fma_float;
  const double least      = std::max(bytes / rates.memory, arithmetic_seconds(machine, shape, units));
  return rates.kernel + model.start + (product.adds ? model.added : 0) + (product.has_bias ? model.biased : 0) +
         std::max(least, slowest_of({memory, arithmetic, waiting}));
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const Call& call              = calls[0];
  const ModelledProduct product = modelled(call);
  const bool along_columns      = lies_along_columns(call);
  const std::int64_t k          = product.shape.k;
  with_tiles(call, [&]<class Bits>(std::span<const ConfigChoice> tiles) {
    for (const ConfigChoice& choice : tiles) {
      const TileShape placed = along_columns ? choice.tile.transposed() : choice.tile;
      const bool is_asked    = options.tile == placed || options.tile == choice.tile;
      if (!can_run(choice, machine) || k > choice.tile.k) continue;
      if (options.tile != TileShape{} ? !is_asked : !is_deep_enough(tiles, choice.tile, k)) continue;
      propose({placed, {1, 1}, false, seconds_of<Bits>(choice, product, along_columns, machine)});
    }
  });
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return with_tiles(calls[0], [&]<class Bits>(std::span<const ConfigChoice> tiles) -> std::array<ProductPlan, 2> {
    const ConfigChoice& choice = choice_of_tile(tiles, proposal.tile);
    return {cut_as_proposed(name, calls[0], choice, std::int64_t(machine.multiprocessors) * choice.teams,
                            sizeof(sum_t<Bits>), options, proposal),
            {}};
  });
}

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { with_input(l.calls[0], [&]<class Input>() { launch_outer<Input>(l); }); });

}  // namespace

/// Short sums with large results, of any strides: sums of a few outer products, which take as long as storing them. All
/// element types, by fused multiply-adds, on compute capability 8.0 and newer.
extern const CudaFamily outer_family{name, Covers::product, any_type, is_of_any_type, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
