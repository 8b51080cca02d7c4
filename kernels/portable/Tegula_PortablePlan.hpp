// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_PLAN_HPP
#define TEGULA_PORTABLE_PLAN_HPP

#include <algorithm>
#include <array>
#include <string>

#include "Tegula_PortableTiles.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How the portable family cuts a call into tiles.

namespace Tegula::Impl {

/// A tile configuration without its type.
struct TileChoice {
  TileShape tile;
  int threads;
  int registers;  // of a thread
  std::size_t scratch_bytes;
};

template <class Accumulator, class... Tiles>
constexpr std::array<TileChoice, sizeof...(Tiles)> tile_choices(TileList<Tiles...>) {
  return {TileChoice{Tiles::shape(), Tiles::threads, Tiles::template registers<Accumulator>,
                     Tiles::template scratch_bytes<Accumulator>}...};
}

template <class ExecutionSpace, class Accumulator>
inline constexpr auto portable_tiles =
    tile_choices<Accumulator>(typename PortableTiles<ExecutionSpace, Accumulator>::type());

/// Scratch level 0 is the fast one; tiles that do not fit there go to level 1.
template <class ExecutionSpace>
int portable_scratch_level(std::size_t bytes) {
  return bytes <= static_cast<std::size_t>(Kokkos::TeamPolicy<ExecutionSpace>::scratch_size_max(0)) ? 0 : 1;
}

/// Teams that run at the same time. A device's concurrency counts threads of 32 registers (65,536 for 2048 threads on
/// the GPUs of recent years); threads that need more are fewer.
template <class ExecutionSpace>
std::int64_t teams_at_once(const ExecutionSpace& exec, const TileChoice& choice) {
  const std::int64_t threads = exec.concurrency();
  if constexpr (is_host_space<ExecutionSpace>) return std::max<std::int64_t>(1, threads / choice.threads);
  return std::max<std::int64_t>(1, threads * 32 / (static_cast<std::int64_t>(choice.threads) * choice.registers));
}

inline std::int64_t count_tiles(const std::array<ProductPlan, 2>& products, const TileShape& tile) {
  std::int64_t tiles = 0;
  for (ProductPlan product : products) {
    if (!is_wanted(product)) continue;
    cut_into_tiles(product, tile, 1, {});
    tiles += product.order.tiles();
  }
  return tiles;
}

/// The tile shape that options ask for, or else the largest of which there are enough to give every team one, or else
/// the smallest.
template <class ExecutionSpace, class Choices>
TileChoice choose_tile(const ExecutionSpace& exec, const Choices& choices, Plan& plan, const PlanOptions& options,
                       const ArgumentList& arguments) {
  const bool asked = options.tile != TileShape{};
  std::string offered;
  for (const TileChoice& choice : choices) {
    if (asked && choice.tile == options.tile) {
      plan.reason = "the options ask for this tile";
      return choice;
    }
    if (!asked && count_tiles(plan.products, choice.tile) >= teams_at_once(exec, choice)) {
      plan.reason = "it is the largest tile of which every team gets one";
      return choice;
    }
    offered += ' ' + text(choice.tile);
  }
  if (asked) arguments.fail("the portable family has no tile " + text(options.tile) + ", only" + offered);
  plan.reason = "it is the smallest tile, and the product has no tile for every team";
  return choices.back();
}

template <class ExecutionSpace, class Problem>
Plan portable_plan(const char* family, const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
  using accumulator = typename Problem::accumulator;
  check_plan_options(options, arguments);
  Plan plan               = uncut_plan<ExecutionSpace>(family, problem);
  const TileChoice choice = choose_tile(exec, portable_tiles<ExecutionSpace, accumulator>, plan, options, arguments);
  plan.threads            = choice.threads;
  plan.scratch_bytes      = choice.scratch_bytes;
  plan.scratch_level      = portable_scratch_level<ExecutionSpace>(choice.scratch_bytes);

  const std::int64_t teams = teams_at_once(exec, choice);
  drop_unwanted_products(plan);
  for (ProductPlan& product : plan.products) {
    if (is_wanted(product)) cut_into_tiles(product, choice.tile, teams, options);
  }
  cut_inner_dimensions(plan, teams, sizeof(accumulator), options);
  check_league(plan, arguments);
  return plan;
}

}  // namespace Tegula::Impl

#endif
