// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfWays.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "cuda/Tegula_CudaPlanner.hpp"
#include "cuda/Tegula_CudaTunedWays.hpp"

namespace Tegula::Perf {
namespace {

/// A tile of a family.
using Tile = std::pair<std::string, TileShape>;

/// The way that the planner takes with these options.
Way way_with(const Impl::Call& call, const Impl::CudaMachine& machine, const PlanOptions& options) {
  const Plan plan            = plan_cuda_call(call, machine, options, Impl::ArgumentList(call.name));
  const ProductPlan& product = plan.products[0];
  return {product.family, product.tile, product.split_k * product.sharing_teams, product.whole_waves};
}

void add(std::vector<Way>& ways, const Way& way) {
  if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(way);
}

}  // namespace

std::string cut_text(const Way& way) { return Impl::cut_text(way.whole_waves, way.split_k); }

std::string text(const Way& way) { return way.family + ' ' + Tegula::text(way.tile) + '/' + cut_text(way); }

std::vector<Way> ways_of(const Impl::Call& call, const Impl::CudaMachine& machine) {
  std::vector<Way> ways{chosen_way(call, machine)};
  std::vector<Tile> tiles;
  std::vector<Way> behind_waves;
  std::map<std::pair<std::string, std::string>, std::set<std::int64_t>> splits;
  for (const auto& [family, proposal] : cuda_proposals(call, machine, {})) {
    if (proposal.whole_waves > 0) {
      behind_waves.push_back({family->name, proposal.tile, proposal.parts[0], proposal.whole_waves});
      continue;
    }
    auto& of_tile = splits[{family->name, Tegula::text(proposal.tile)}];
    if (of_tile.empty()) tiles.emplace_back(family->name, proposal.tile);
    of_tile.insert(proposal.parts[0]);
  }
  for (const auto& [family, tile] : tiles) {
    auto& of_tile           = splits[{family, Tegula::text(tile)}];
    const std::int64_t most = *of_tile.rbegin();
    for (std::int64_t split = 1; split <= most; split = Impl::next_split(split)) of_tile.insert(split);
    for (const std::int64_t split : of_tile) {
      const PlanOptions options = Way{family, tile, split}.options();
      if (!cuda_proposals(call, machine, options).empty()) add(ways, way_with(call, machine, options));
    }
  }
  for (const Way& way : behind_waves) add(ways, way_with(call, machine, way.options()));
  return ways;
}

Way chosen_way(const Impl::Call& call, const Impl::CudaMachine& machine) { return way_with(call, machine, {}); }

std::optional<double> predicted_seconds(const Impl::Call& call, const Way& way, const Impl::CudaMachine& machine) {
  try {
    return plan_cuda_call(call, machine, way.options(), Impl::ArgumentList(call.name)).products[0].seconds;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

Impl::CudaMachine machine_of(const Impl::CudaRates& rates) {
  constexpr std::size_t unasked = 48 * 1024;
  const auto scratch            = static_cast<std::size_t>(rates.team_scratch);
  Impl::CudaMachine machine;
  machine.multiprocessors = rates.multiprocessors;
  machine.scratch_max     = scratch;
  machine.major           = rates.capability / 10;
  machine.portable        = {false, rates.multiprocessors, {Impl::scratch_of_device(unasked, scratch), 0}};
  machine.rates           = &rates;
  machine.is_at_hand      = false;
  return machine;
}

}  // namespace Tegula::Perf
