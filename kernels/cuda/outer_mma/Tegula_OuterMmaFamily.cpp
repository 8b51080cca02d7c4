// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "../outer/Tegula_OuterDepth.hpp"
#include "Tegula_OuterMmaArguments.hpp"
#include "Tegula_OuterMmaModel.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "outer_mma";

constexpr const char* types =
    "it takes half_t or bhalf_t throughout, but for the bias, with an activation that Tegula brings, on Cuda";

constexpr std::span<const ConfigChoice> tiles = outer_mma_tiles;

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  if (options.split_k > 1) return "it does not cut k";
  const auto call      = with_contiguous_rows(product_call<std::uint16_t>(calls[0]));
  const std::int64_t k = calls[0].shape().k;
  if (!has_plain_epilogue(call)) return "it has alpha = 1, beta = 0, no Z, and no activation or relu";
  if (call.C.column_stride != 1) return "C has no contiguous direction";
  if (k < 1 || k > tiles.back().tile.k) return "k is 0, or sums are longer than its tiles";
  return can_run(tiles.front(), machine) ? nullptr : "a team has too little scratch";
}

double seconds_of(const ConfigChoice& choice, const ModelledProduct& product, bool along_columns,
                  const CudaMachine& machine) {
  const CudaRates& rates     = *machine.rates;
  const OuterMmaModel& model = outer_mma_model;
  const GemmShape shape      = along_columns ? product.shape.transposed() : product.shape;
  const Fetched right        = product.fetched[along_columns ? 0 : 1];
  const std::int64_t rows    = std::min<std::int64_t>(choice.tile.m, shape.m);
  const std::int64_t all     = ceil_div(shape.m, choice.tile.m) * ceil_div(shape.n, choice.tile.n);
  const std::int64_t most    = ceil_div(all, machine.multiprocessors);
  const double steps         = number(ceil_div(shape.k, 16) * 16);
  const double work =
      number(shape.k) * model.hold[std::size_t(right)] + number(rows) * (model.row + steps * model.step);
  const double rounds     = number(ceil_div(most, choice.teams));
  const double waiting    = rounds * (model.wait + model.alone * work) / rates.clock;
  const double arithmetic = number(most) * work / rates.clock;
  const double bytes      = product.operand_bytes + product.result_bytes;
  const double memory     = bytes / (model.memory[choice.tile.n == outer_lapping_columns] * rates.memory);
  const double least      = std::max(bytes / rates.memory, arithmetic_seconds(machine, shape, rates.mma_half));
  return rates.kernel + model.start + (product.has_bias ? model.biased : 0) +
         std::max(least, slowest_of({memory, arithmetic, waiting}));
}

/// Tiles lie along the contiguous direction of C. Those that lap are of use where rows begin within sectors.
void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const ModelledProduct product = modelled(calls[0]);
  const bool along_columns      = calls[0].C.any().is_column_major();
  const std::int64_t k          = product.shape.k;
  const auto call               = with_contiguous_rows(product_call<std::uint16_t>(calls[0]));
  const int columns             = begins_with_sectors(call) ? outer_mma_columns : outer_lapping_columns;
  for (const ConfigChoice& choice : tiles) {
    const TileShape placed = along_columns ? choice.tile.transposed() : choice.tile;
    const bool is_asked    = options.tile == placed || options.tile == choice.tile;
    const bool suits       = is_deep_enough(tiles, choice.tile, k) && choice.tile.n == columns;
    if (!can_run(choice, machine) || k > choice.tile.k) continue;
    if (options.tile != TileShape{} ? !is_asked : !suits) continue;
    propose({placed, {1, 1}, false, seconds_of(choice, product, along_columns, machine)});
  }
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const ConfigChoice& choice = choice_of_tile(tiles, proposal.tile);
  return {cut_as_proposed(name, calls[0], choice, std::int64_t(machine.multiprocessors) * choice.teams, sizeof(float),
                          options, proposal),
          {}};
}

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { with_input_of<F16, Bf16>(l.calls[0], [&]<class Input>() { launch_outer_mma<Input>(l); }); });

}  // namespace

/// Short sums with large results of 16 bits, of any strides and alignment: as long as storing them takes, by tensor
/// cores, on compute capability 8.0 and newer.
extern const CudaFamily outer_mma_family{name,    Covers::product, types, is_built_in_half_to_half,
                                         refusal, propose,         cut,   launch};

}  // namespace Tegula::Impl
