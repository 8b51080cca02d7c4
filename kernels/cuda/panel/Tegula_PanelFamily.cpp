// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_PanelCall.hpp"
#include "Tegula_PanelModel.hpp"
#include "Tegula_PanelShares.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "panel";

constexpr ConfigChoice choice = choice_of<PanelConfig>();

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = hopper_refusal(calls[0], machine, PanelConfig::scratch_bytes)) return reason;
  if (options.split_k > 1 || options.group != 0) return "it does not cut k, and has an order of its own";
  if (!is_panel(product_call<double>(calls[0]), calls[0].shape()))
    return "k is 0 or too large, a matrix is not in aligned runs of 16 bytes, or the epilogue is not simple";
  return nullptr;
}

double seconds_of(const Call& product, const CudaMachine& machine) {
  const CudaRates& rates   = *machine.rates;
  const PanelRates& r      = panel_rates;
  const auto [call, shape] = panel_call(product_call<double>(product), product.shape());
  const std::int64_t rows = ceil_div(shape.m, choice.tile.m), panels = ceil_div(shape.n, choice.tile.n);
  const PanelShares shares = panel_shares(rows, panels, machine.multiprocessors);
  const auto tiles         = static_cast<double>(shares.share + (shares.longer > 0 ? 1 : 0));
  const auto depth         = static_cast<double>(ceil_div(shape.k, 8) * 8);
  const bool adds          = product.beta != 0;
  const double products    = double(choice.tile.m) * choice.tile.n * depth / (r.full * rates.mma_double);
  const double arithmetic  = tiles * (products + r.tile + (adds ? r.added : 0)) / rates.clock;
  const double bytes       = product_bytes(product);
  const double least       = std::max(bytes / rates.memory, arithmetic_seconds(machine, shape, rates.mma_double));
  return rates.kernel + r.start +
         std::max(least, slowest_of({arithmetic, bytes / (r.memory[adds ? 1 : 0] * rates.memory)}));
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const TileShape tile = panel_tile(product_call<double>(calls[0]));
  if (options.tile != TileShape{} && options.tile != tile) return;
  propose({tile, {1, 1}, false, seconds_of(calls[0], machine)});
}

// Tiles run down the panels, which are columns of tiles, or rows of tiles if C is column-major.
std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const Call& call = calls[0];
  PlanOptions down = options;
  down.group       = call.C.any().is_column_major() ? 1 : static_cast<int>(ceil_div(call.C.rows, proposal.tile.m));
  return {cut_as_proposed(name, call, choice, machine.multiprocessors, sizeof(double), down, proposal), {}};
}

constexpr auto launch = launch_if<has_hopper_kernels>([](const auto& l) { launch_panel(l); });

}  // namespace

/// Hopper (compute capability 9.0): double, a large result and a short inner dimension, where stores take as long as
/// products.
extern const CudaFamily panel_family =
    apart({name, Covers::product, only_double, is_built_in_double, refusal, propose, cut, launch});

}  // namespace Tegula::Impl
