// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SkinnyPlan.hpp"

#include <algorithm>
#include <string>

#include "Tegula_SkinnyConfig.hpp"

namespace Tegula::Impl {
namespace {

/// A tile, and the most teams for each multiprocessor, which do not all run at once.
struct SkinnyChoice {
  ConfigChoice config;
  int warps, most_teams;
};

template <class... Configs>
constexpr std::array<SkinnyChoice, sizeof...(Configs)> skinny_choices(ConfigList<Configs...>) {
  return {SkinnyChoice{choice_of<Configs>(), Configs::warps, Configs::teams * Configs::waves}...};
}

/// The smallest tile that takes the short operand; null if there is none.
template <class T>
const SkinnyChoice* choose(const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options) {
  static constexpr auto choices = skinny_choices(SkinnyConfigs<T>());
  if (shape.k > skinny_depth || options.split_k > 1) return nullptr;
  for (const SkinnyChoice& choice : choices) {
    const ConfigChoice& config = choice.config;
    const bool is_allowed      = options.tile == TileShape{} || options.tile == with_long_side(shape, config.tile);
    const bool has_room        = static_cast<std::size_t>(config.scratch_bytes) <= machine.scratch_max;
    if (is_allowed && has_room && std::min(shape.m, shape.n) <= config.tile.n) return &choice;
  }
  return nullptr;
}

}  // namespace

template <class T>
bool is_skinny(const GemmShape& shape, const CudaMachine& machine, const PlanOptions& options) {
  return choose<T>(shape, machine, options) != nullptr;
}

// Measured on an H200. The steps of a sum come one after the other, half a microsecond each: the longer it is, the more
// tiles keep the memory busy. In double the mma family is quicker at that.
template <class T>
bool is_best_skinny(const GemmShape& shape, StreamBy by, bool stores_vectors) {
  const std::int64_t lines = std::max(shape.m, shape.n);
  if (by == StreamBy::elements || !stores_vectors) return false;
  if (shape.k <= 16) return lines >= 1024;
  return sizeof(T) == 4 ? lines >= 8192 : shape.k <= 32 && lines >= 65536;
}

template <class T>
void plan_skinny_product(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                         const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  drop_unwanted_products(plan);
  ProductPlan& product     = plan.products[0];
  const SkinnyChoice* best = choose<T>(product.shape, machine, options);
  if (best == nullptr) arguments.fail("the skinny family has no tile " + text(options.tile) + " for this call");
  plan.reason  = options.tile != TileShape{} ? "the options ask for this tile" : "it is as wide as the short side";
  plan.threads = best->config.threads;
  plan.scratch_bytes = static_cast<std::size_t>(best->config.scratch_bytes);
  if (!is_wanted(product)) return;
  cut_into_tiles(product, with_long_side(product.shape, best->config.tile),
                 std::int64_t(machine.multiprocessors) * best->config.teams, options);
  // Every team has a tile.
  product.holding_teams = static_cast<int>(
      std::min<std::int64_t>(machine.multiprocessors * best->most_teams, ceil_div(product.order.tiles(), best->warps)));
  cut_inner_dimension(product, 1, sizeof(T));
  check_league(plan, arguments);
}

template bool is_skinny<float>(const GemmShape&, const CudaMachine&, const PlanOptions&);
template bool is_skinny<double>(const GemmShape&, const CudaMachine&, const PlanOptions&);
template bool is_best_skinny<float>(const GemmShape&, StreamBy, bool);
template bool is_best_skinny<double>(const GemmShape&, StreamBy, bool);
template void plan_skinny_product<float>(Plan&, const CudaMachine&, const PlanOptions&, const ArgumentList&);
template void plan_skinny_product<double>(Plan&, const CudaMachine&, const PlanOptions&, const ArgumentList&);

}  // namespace Tegula::Impl
