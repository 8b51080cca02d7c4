// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfWays.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <stdexcept>

#include "cuda/Tegula_CudaFamily.hpp"
#include "cuda/fp32_split/Tegula_Fp32SplitConfig.hpp"
#include "cuda/gemv/Tegula_GemvConfig.hpp"
#include "cuda/mma/Tegula_MmaConfig.hpp"
#include "cuda/panel/Tegula_PanelConfig.hpp"
#include "cuda/simt/Tegula_SimtConfig.hpp"
#include "cuda/skinny/Tegula_SkinnyConfig.hpp"
#include "cuda/tf32/Tegula_Tf32Config.hpp"
#include "cuda/wgmma/Tegula_WgmmaConfig.hpp"
#include "portable/Tegula_PortableLayout.hpp"

namespace Tegula::Perf {
namespace {

using Impl::choices_of;

/// A tile, and how many of its teams run on a multiprocessor at once.
struct Tile {
  TileShape shape;
  int teams;
};
using Tiles = std::vector<Tile>;

template <class Choices>
Tiles tiles_in(const Choices& choices) {
  Tiles tiles;
  for (const auto& choice : choices) tiles.push_back({choice.tile, choice.teams});
  return tiles;
}

template <class T>
Tiles gemv_tiles() {
  using Impl::GemvTile, Impl::Major;
  return tiles_in(
      std::array{Impl::choice_of<GemvTile<T, Major::depth>>(), Impl::choice_of<GemvTile<T, Major::lines>>()});
}

/// The tiles that a family has, for double and for all else; lines of a result may be its columns.
struct FamilyTiles {
  const Impl::CudaFamily* family;
  Tiles for_double, for_others;
};

const std::vector<FamilyTiles>& all_tiles() {
  static const std::vector<FamilyTiles> table{
      {&Impl::wgmma_family, {}, tiles_in(choices_of(Impl::WgmmaConfigs()))},
      {&Impl::tf32_family, {}, tiles_in(choices_of(Impl::Tf32Configs()))},
      {&Impl::fp32_split_family, {}, tiles_in(choices_of(Impl::Fp32SplitConfigs()))},
      {&Impl::mma_family, tiles_in(choices_of(Impl::MmaDoubleConfigs())), tiles_in(choices_of(Impl::MmaConfigs()))},
      {&Impl::simt_family, {}, tiles_in(choices_of(Impl::SimtConfigs()))},
      {&Impl::panel_family, {{Impl::PanelConfig::shape(), Impl::PanelConfig::teams}}, {}},
      {&Impl::skinny_family, tiles_in(choices_of(Impl::SkinnyConfigs<double>())),
       tiles_in(choices_of(Impl::SkinnyConfigs<float>()))},
      {&Impl::gemv_family, gemv_tiles<double>(), gemv_tiles<float>()},
      {&Impl::portable_cuda_family, tiles_in(Impl::portable_choices<false, double>),
       tiles_in(Impl::portable_choices<false, float>)}};
  return table;
}

/// 1, 2, 3, 4, 6, 8, 12, ...
std::int64_t next_split(std::int64_t split) {
  const bool is_power_of_two = (split & (split - 1)) == 0;
  return split < 3 ? split + 1 : is_power_of_two ? split / 2 * 3 : split / 3 * 4;
}

/// Into how many parts the inner dimension may be cut: ascending numbers, and those with which waves of teams are full.
std::set<std::int64_t> splits_of(const GemmShape& shape, const Tile& tile, std::int64_t multiprocessors) {
  constexpr std::int64_t shortest_part = 64, most_waves = 4;
  const std::int64_t tiles = std::max<std::int64_t>(1, tile_order(shape, tile.shape, 1).tiles());
  const std::int64_t most  = std::min(shape.k / shortest_part, most_waves * multiprocessors * tile.teams / tiles);
  std::set<std::int64_t> splits{1};
  for (std::int64_t split = 2; split <= most; split = next_split(split)) splits.insert(split);
  for (const std::int64_t teams : {1, 2, tile.teams, 2 * tile.teams}) {
    const std::int64_t full = teams * multiprocessors / tiles;
    if (full > 1 && full <= most) splits.insert(full);
  }
  return splits;
}

/// Whether the family has kernels for the call, in a build that has kernels.
bool takes(const Impl::CudaFamily& family, const Impl::Call& call, const Impl::CudaMachine& machine,
           const PlanOptions& options) {
  return family.takes_types(call) && family.refusal(call, machine, options) == nullptr;
}

/// The way that a family takes with these options, if it can meet them.
std::optional<Way> way_with(const Impl::CudaFamily& family, const Impl::Call& call, const Impl::CudaMachine& machine,
                            const PlanOptions& options) {
  if (!takes(family, call, machine, options)) return std::nullopt;
  try {
    const Plan plan            = family.plan(call, machine, options, Impl::ArgumentList(call.name));
    const ProductPlan& product = plan.products[0];
    return Way{product.is_streamed() ? product.family : plan.family, product.tile, product.split_k};
  } catch (const std::invalid_argument&) {  // it has no such tile here
    return std::nullopt;
  }
}

void add(std::vector<Way>& ways, const Way& way) {
  if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(way);
}

/// Adds the ways of one tile.
void add_ways(std::vector<Way>& ways, const FamilyTiles& row, const Tile& tile, const Impl::Call& call,
              const Impl::CudaMachine& machine) {
  for (const std::int64_t split : splits_of(call.shape(), tile, machine.multiprocessors)) {
    const Way asked{row.family->name, tile.shape, split};
    const std::optional<Way> way = way_with(*row.family, call, machine, asked.options());
    if (!way) return;
    add(ways, *way);
  }
}

}  // namespace

std::string text(const Way& way) {
  return way.family + ' ' + Tegula::text(way.tile) + '/' + std::to_string(way.split_k);
}

std::vector<Way> ways_of(const Impl::Call& call, const Impl::CudaMachine& machine) {
  std::vector<Way> ways{chosen_way(call, machine)};
  for (const FamilyTiles& row : all_tiles()) {
    for (const Tile& tile : call.A.element == Impl::Element::f64 ? row.for_double : row.for_others) {
      add_ways(ways, row, tile, call, machine);
      add_ways(ways, row, {tile.shape.transposed(), tile.teams}, call, machine);
    }
  }
  return ways;
}

Way chosen_way(const Impl::Call& call, const Impl::CudaMachine& machine) {
  for (const Impl::CudaFamily* family : Impl::cuda_families())
    if (const auto way = way_with(*family, call, machine, {})) return *way;
  return way_with(Impl::portable_cuda_family, call, machine, {}).value();
}

Impl::CudaMachine h200() {
  constexpr int multiprocessors = 132;
  constexpr std::size_t scratch = 227 * 1024;
  constexpr std::size_t unasked = 48 * 1024;
  return {multiprocessors, scratch, 9, true, {false, multiprocessors, {Impl::scratch_of_device(unasked, scratch), 0}}};
}

}  // namespace Tegula::Perf
