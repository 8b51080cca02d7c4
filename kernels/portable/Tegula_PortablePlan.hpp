// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_PLAN_HPP
#define TEGULA_PORTABLE_PLAN_HPP

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "Tegula_Check.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_PortableTiles.hpp"
#include "Tegula_Problem.hpp"

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

/// A product before it is cut. A product that is not wanted has an empty shape and sums no rows.
inline ProductPlan uncut_product(const char* name, const GemmShape& shape, std::size_t left_bytes,
                                 std::size_t right_bytes, std::size_t result_bytes, bool sums_rows = false) {
  ProductPlan product;
  product.name         = name;
  product.shape        = shape;
  product.left_bytes   = left_bytes;
  product.right_bytes  = right_bytes;
  product.result_bytes = result_bytes;
  product.sums_rows    = sums_rows;
  return product;
}

template <class A, class B, class C, class Bias, class Z, class Activation>
std::array<ProductPlan, 2> uncut_products(const GemmProblem<A, B, C, Bias, Z, Activation>& problem) {
  return {uncut_product("C", problem.shape(), sizeof(A), sizeof(B), sizeof(C)), ProductPlan{}};
}

template <class DC, class SavedScalar, class A, class B, class DA, class DB, class DBias, class Activation>
std::array<ProductPlan, 2> uncut_products(
    const GemmBackwardProblem<DC, SavedScalar, A, B, DA, DB, DBias, Activation>& problem) {
  constexpr std::size_t gradient_bytes = sizeof(DC) + (Activation::saved == Saved::nothing ? 0 : sizeof(SavedScalar));
  return {
      uncut_product("dA", problem.dA_shape(), gradient_bytes, sizeof(B), sizeof(DA)),
      uncut_product("dB^T", problem.dB_shape(), gradient_bytes, sizeof(A), sizeof(DB), problem.dbias.data != nullptr)};
}

inline bool is_wanted(const ProductPlan& product) {
  return product.shape.m > 0 && (product.shape.n > 0 || product.sums_rows);
}

/// Cuts a product into tiles; `teams` is how many run at once, shared by all products of the call.
inline void cut_into_tiles(ProductPlan& product, const TileShape& tile, std::int64_t teams,
                           const PlanOptions& options) {
  product.order.rows    = ceil_div(product.shape.m, tile.m);
  product.order.columns = std::max<std::int64_t>(1, ceil_div(product.shape.n, tile.n));
  product.order.group   = options.group > 0 ? options.group : best_group(product.order.rows, tile, teams);
}

/// Cuts the inner dimension into parts of about `fair_length`, the sum of all tiles' lengths over the teams at once, so
/// that no team sums alone while others idle. A part must be long enough to be worth the extra pass over the sums.
inline void cut_inner_dimension(ProductPlan& product, int tile_k, std::int64_t fair_length,
                                std::size_t accumulator_bytes, const PlanOptions& options) {
  constexpr std::int64_t shortest_part = 256, most_parts = 64;
  const std::int64_t k_steps = ceil_div(product.shape.k, tile_k);
  std::int64_t parts         = options.split_k;
  if (parts == 0) {
    const std::int64_t fair_parts = (product.shape.k + fair_length / 2) / std::max<std::int64_t>(1, fair_length);
    parts                         = std::min({fair_parts, product.shape.k / shortest_part, most_parts});
  }
  parts           = std::clamp<std::int64_t>(parts, 1, std::max<std::int64_t>(1, k_steps));
  product.k_split = std::max<std::int64_t>(1, ceil_div(k_steps, parts)) * tile_k;
  product.split_k = std::max<std::int64_t>(1, ceil_div(product.shape.k, product.k_split));
  if (product.split_k == 1) return;
  const std::int64_t slice = product.shape.m * product.shape.n + (product.sums_rows ? product.shape.m : 0);
  const auto bytes         = static_cast<std::size_t>(product.split_k * slice) * accumulator_bytes;
  product.workspace_bytes  = bytes + (64 - bytes % 64) % 64;  // the next product's slices start aligned
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
Plan portable_plan(const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
  using accumulator = typename Problem::accumulator;
  if (options.group < 0) arguments.fail("plan option group is " + std::to_string(options.group));
  if (options.split_k < 0) arguments.fail("plan option split_k is " + std::to_string(options.split_k));

  Plan plan;
  plan.call               = Problem::call;
  plan.space              = ExecutionSpace::name();
  plan.variant            = variant_text(problem);
  plan.products           = uncut_products(problem);
  const TileChoice choice = choose_tile(exec, portable_tiles<ExecutionSpace, accumulator>, plan, options, arguments);
  plan.tile               = choice.tile;
  plan.threads            = choice.threads;
  plan.scratch_bytes      = choice.scratch_bytes;
  plan.scratch_level      = portable_scratch_level<ExecutionSpace>(choice.scratch_bytes);

  const std::int64_t teams = teams_at_once(exec, choice);
  std::int64_t steps       = 0;  // of length 1 along the inner dimension, over all tiles
  for (ProductPlan& product : plan.products) {
    if (!is_wanted(product)) {
      product = ProductPlan{};
      continue;
    }
    cut_into_tiles(product, choice.tile, teams, options);
    steps += product.order.tiles() * product.shape.k;
  }
  for (ProductPlan& product : plan.products) {
    if (product.teams() > 0) {
      cut_inner_dimension(product, choice.tile.k, ceil_div(steps, teams), sizeof(accumulator), options);
    }
  }
  if (plan.teams() > std::numeric_limits<int>::max()) {
    arguments.fail("the call has " + std::to_string(plan.teams()) + " tiles, more than a Kokkos league holds");
  }
  return plan;
}

}  // namespace Tegula::Impl

#endif
