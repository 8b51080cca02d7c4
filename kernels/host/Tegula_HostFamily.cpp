// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostFamily.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "Tegula_HostGradientPlan.hpp"
#include "Tegula_HostInstructions.hpp"
#include "Tegula_HostPlan.hpp"
#include "Tegula_PackPanels.hpp"
#include "Tegula_UseMachine.hpp"
#include "product/Tegula_UncutCall.hpp"
#include "reduce/Tegula_PlanSumsBelow.hpp"

namespace Tegula::Impl {
namespace {

double cycles_of(const Call& call, const CallActivation& layer, Applied applied) {
  const int position = layer.is_built_in ? layer.activation.position : -1;
  return activation_cycles(host_instructions(), position, call.accumulator == Element::f64, applied);
}
double cycles_of(const Call& call, Applied applied) { return cycles_of(call, call, applied); }

OperandTraits operand_traits(const Call& call, const CallMatrix& lines_by_depth) {
  return {lines_by_depth.element == call.accumulator, lines_by_depth.row_stride, lines_by_depth.column_stride};
}

/// dZ, which is formed while it is packed. Its lines are summed there, too.
OperandTraits gradient_operand(const Call& call, const CallMatrix& lines_by_depth, bool sums_lines) {
  const bool is_formed = !call.is_identity();
  OperandTraits traits = operand_traits(call, lines_by_depth);
  traits.in_place      = traits.in_place && !is_formed && !sums_lines;
  traits.is_formed     = is_formed;
  traits.reads_saved   = is_formed && !call.has_constant_slope;
  traits.sums_lines    = sums_lines;
  traits.slope         = cycles_of(call, Applied::slope);
  return traits;
}

ResultTraits gradient_traits(const Call& call, const CallMatrix& matrix, Update update) {
  const bool is_direct = call.alpha == 1 && matrix.element == call.accumulator;
  return {matrix.row_stride, matrix.column_stride, is_direct, update == Update::accumulate ? 2 : 1};
}

/// dA, times the derivative of the layer below if there is one.
ResultTraits dA_traits(const Call& call) {
  ResultTraits traits = gradient_traits(call, call.dA, call.update_dA);
  if (!call.below || call.below->is_identity()) return traits;
  const bool reads_saved = !call.below->has_constant_slope;
  traits.is_direct       = traits.is_direct && (!reads_saved || call.below->saved.element == call.accumulator);
  traits.passes += reads_saved ? 1 : 0;
  traits.finished_element = cycles_of(call, *call.below, Applied::slope);
  return traits;
}

ResultTraits result_traits(const Call& call) {
  const auto is_plain  = [&](const CallMatrix& m) { return m.data == nullptr || m.element == call.accumulator; };
  const bool is_direct = call.alpha == 1 && (call.beta == 0 || call.beta == 1) && is_plain(call.C) &&
                         is_plain(call.Z) && is_plain(call.bias);
  const int passes   = 1 + (call.beta != 0) + (call.Z.data != nullptr);
  const bool is_relu = call.is_built_in && is_activation<Relu>(call.activation);
  return {call.C.row_stride,
          call.C.column_stride,
          is_direct,
          passes,
          cycles_of(call, Applied::value),
          is_relu && call.Z.data == nullptr};
}

std::array<ProductTraits, 2> product_traits(const Call& call) {
  if (!call.is_backward) {
    ProductTraits product{operand_traits(call, call.A), operand_traits(call, call.B.transposed()), result_traits(call)};
    product.right.in_panels = call.B_panels.data != nullptr;
    return {product, ProductTraits{}};
  }
  const bool sums_lines = call.dbias.data != nullptr;
  return {
      ProductTraits{gradient_operand(call, call.dC, false), operand_traits(call, call.B), dA_traits(call)},
      ProductTraits{gradient_operand(call, call.dC.transposed(), sums_lines), operand_traits(call, call.A.transposed()),
                    gradient_traits(call, call.dB.transposed(), call.update_dB)}};
}

GradientTraits gradient_traits(const Call& call) {
  const bool is_dC = call.is_identity();
  return {call.dC.row_stride,
          call.dC.column_stride,
          is_dC && call.dC.element == call.accumulator,
          !is_dC && !call.has_constant_slope,
          cycles_of(call, Applied::slope),
          call.dbias.data != nullptr};
}

HostMachine host_machine(const Call& call, const HostSpace& space) {
  const Instructions instructions = host_instructions();
  const bool is_double            = call.accumulator == Element::f64;
  return {is_double ? register_tile<double>(instructions) : register_tile<float>(instructions),
          is_double ? sizeof(double) : sizeof(float), space.threads, space.scratch_max,
          &host_rates_in_use(instructions)};
}

/// All that the planner knows of a call. What it points to is its own.
struct HostProblem {
  std::array<ProductTraits, 2> traits;
  HostMachine machine;
  GradientTraits gradient{};
  bool is_backward;

  const GradientTraits* gradients() const { return is_backward ? &gradient : nullptr; }
};

HostProblem host_problem(const Call& call, const HostSpace& space) {
  return {product_traits(call), host_machine(call, space), call.is_backward ? gradient_traits(call) : GradientTraits{},
          call.is_backward};
}

/// Tiles that are a half, a quarter, or twice as long in one direction: ways that no planner considers, since its model
/// has no opinion on what differs so little.
std::vector<TileShape> tiles_near(const TileShape& tile, const GemmShape& shape) {
  std::vector<TileShape> tiles;
  const std::array sides{std::pair(&TileShape::m, shape.m), std::pair(&TileShape::n, shape.n),
                         std::pair(&TileShape::k, shape.k)};
  for (const auto& [side, extent] : sides) {
    for (const auto& [times, part] : {std::pair(1, 2), std::pair(1, 4), std::pair(2, 1)}) {
      TileShape other     = tile;
      other.*side         = static_cast<int>(ceil_div(tile.*side * times, part));
      const bool is_other = times == 1 ? other.*side > 1 : tile.*side < extent;
      if (is_other) tiles.push_back(other);
    }
  }
  return tiles;
}

Plan uncut_host_plan(const Call& call, const HostSpace& space) {
  check_panels(call);
  Plan plan = uncut_plan(host_family, space.name, call);
  plan_sums_below(plan, call, static_cast<std::size_t>(element_bytes(call.accumulator)), space.threads,
                  summed_at_once<true>);
  plan.instructions  = name(host_instructions());
  plan.scratch_level = 1;
  return plan;
}

}  // namespace

Plan plan_host_call(const Call& call, const HostSpace& space, const PlanOptions& options,
                    const ArgumentList& arguments) {
  check_plan_options(options, arguments);
  Plan plan                     = uncut_host_plan(call, space);
  const GradientTraits gradient = call.is_backward ? gradient_traits(call) : GradientTraits{};
  plan_host_products(plan, product_traits(call), host_machine(call, space), options, arguments,
                     call.is_backward ? &gradient : nullptr);
  check_league(plan, arguments);
  return plan;
}

std::optional<Plan> plan_host_way(const Call& call, const HostSpace& space, const TunedWay& way) {
  const HostProblem problem = host_problem(call, space);
  return plan_of_way(uncut_host_plan(call, space), problem.traits, problem.machine, way, problem.gradients());
}

std::vector<HostCandidate> host_candidates(const Call& call, const HostSpace& space) {
  const HostProblem problem = host_problem(call, space);
  const ArgumentList arguments(call.name);
  const Plan own = plan_host_call(call, space, {}, arguments);
  if (own.is_empty()) return {};
  std::vector<HostCandidate> candidates;
  const auto add = [&](const TunedWay& way) {
    const auto is_there = [&](const HostCandidate& other) { return other.way == way; };
    if (std::any_of(candidates.begin(), candidates.end(), is_there)) return;
    if (auto plan = plan_host_way(call, space, way)) candidates.push_back({way, std::move(*plan)});
  };
  // The planner's own way to compute products one by one, which is its own way unless blocks are.
  const Plan uncut = uncut_host_plan(call, space);
  Plan one_by_one  = uncut;
  plan_host_products(one_by_one, problem.traits, problem.machine, {}, arguments);
  const TunedWay base = way_of(one_by_one);
  add(base);
  if (call.is_backward)
    for (const std::int64_t bytes : block_bytes_considered()) add({.block_bytes = bytes});
  for (std::size_t p = 0; p < base.products.size(); ++p) {
    if (base.products[p].family.empty()) continue;
    for (const ProductWay& other : all_product_ways(uncut, p, problem.traits[p], problem.machine)) {
      TunedWay way    = base;
      way.products[p] = other;
      // Teams of one size compute both.
      for (ProductWay& product : way.products)
        if (!product.family.empty()) product.threads = other.threads;
      add(way);
    }
    for (const TileShape& tile : tiles_near(base.products[p].tile, uncut.products[p].shape)) {
      TunedWay way         = base;
      way.products[p].tile = tile;
      add(way);
    }
  }
  const auto planners = std::find_if(candidates.begin(), candidates.end(),
                                     [&](const HostCandidate& candidate) { return are_alike(candidate.plan, own); });
  if (planners != candidates.end()) std::rotate(candidates.begin(), planners, planners + 1);
  return candidates;
}

Plan plan_host_gradients_together(const Call& call, const HostSpace& space, std::int64_t block_bytes) {
  Plan plan = uncut_host_plan(call, space);
  drop_unwanted_products(plan);
  return gradient_block_plan(plan, product_traits(call), gradient_traits(call), host_machine(call, space), block_bytes);
}

std::vector<Plan> host_plans(const Call& call, const HostSpace& space) {
  return host_ways(uncut_host_plan(call, space), product_traits(call)[0], host_machine(call, space));
}

}  // namespace Tegula::Impl
