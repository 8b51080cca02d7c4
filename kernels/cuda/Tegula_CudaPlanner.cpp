// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaPlanner.hpp"

#include <algorithm>
#include <optional>

#include "Tegula_CudaPasses.hpp"
#include "Tegula_CudaPlanRefusal.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_ProductsBeside.hpp"
#include "Tegula_TileModel.hpp"
#include "portable/Tegula_OwnPortable.hpp"
#include "product/Tegula_UncutCall.hpp"
#include "reduce/Tegula_PlanSumsBelow.hpp"

namespace Tegula::Impl {
namespace {

/// Products that are cut, and what they take.
struct Planned {
  std::array<ProductPlan, 2> products{};
  double seconds        = 0;
  bool is_one_kernel    = false;
  double seconds_beside = 0;  // see Plan
  double seconds_behind = 0;  // of a pass for the layer below, which other ways do without
};

/// A pass that sums the columns of dZ of the layer below, where the kernels that form it do not.
double seconds_behind(const CudaFamily& family, const Call& call, const Request& request) {
  if (!call.below || call.below->dbias.data == nullptr || family.below != BelowBy::slopes) return 0;
  return plan_below(call, true, request.machine).seconds;
}

/// The cheapest proposals for calls, one of every family that has any.
std::vector<FamilyProposal> cheapest_proposals(const Request& request, Covers covers, const Calls& calls) {
  std::vector<FamilyProposal> cheapest;
  for_each_proposal(request, covers, calls, [&](const CudaFamily& family, const Proposal& proposal) {
    if (cheapest.empty() || cheapest.back().family != &family) return cheapest.push_back({&family, proposal});
    if (proposal.seconds < cheapest.back().proposal.seconds) cheapest.back().proposal = proposal;
  });
  return cheapest;
}

/// The cheapest way to compute them by one launch; nothing if there is none.
std::optional<Planned> plan_cover(const Request& request, Covers covers, const Calls& calls) {
  const auto proposals = cheapest_proposals(request, covers, calls);
  if (proposals.empty()) return std::nullopt;
  const auto behind = [&](const FamilyProposal& of_family) {
    return seconds_behind(*of_family.family, calls[0], request);
  };
  const FamilyProposal& cheapest = *std::ranges::min_element(
      proposals, {}, [&](const FamilyProposal& of_family) { return of_family.proposal.seconds + behind(of_family); });
  const auto& [family, proposal] = cheapest;
  return Planned{family->cut(calls, request.machine, request.options, proposal), proposal.seconds, true, 0,
                 behind(cheapest)};
}

/// A call of gemm as every family would compute it.
std::vector<ProductPlan> plan_as_it_is(const Request& request, const Call& call) {
  std::vector<ProductPlan> plans;
  for (const auto& [family, proposal] : cheapest_proposals(request, Covers::product, {&call, 1}))
    plans.push_back(family->cut({&call, 1}, request.machine, request.options, proposal)[0]);
  return plans;
}

/// The same, and with passes.
std::vector<ProductPlan> plan_product(const Request& request, const Call& call) {
  std::vector<ProductPlan> plans = plan_as_it_is(request, call);
  auto passes                    = with_passes(call, some_workspace());
  if (!passes) return plans;
  predict_passes(*passes, request.machine);
  for (ProductPlan& behind : plan_as_it_is(request, passes->product)) {
    behind.passes = passes->plan;
    behind.seconds += passes->plan.seconds();
    plans.push_back(behind);
  }
  return plans;
}

void take_cheaper(std::optional<Planned>& best, std::optional<Planned> other) {
  const auto seconds = [](const Planned& planned) { return planned.seconds + planned.seconds_behind; };
  if (other && (!best || seconds(*other) < seconds(*best))) best = std::move(other);
}

/// Both products of gemm_backward, each by a kernel of its own, and the kernel that adds the sums of columns. The
/// cheapest two by themselves need not be the cheapest together, where some can run beside each other.
std::optional<Planned> plan_one_by_one(const Request& request, const std::array<Call, 2>& calls,
                                       const GradientPlan& gradient) {
  std::array<std::vector<ProductPlan>, 2> plans;
  for (std::size_t p = 0; p < calls.size(); ++p)
    plans[p] = is_wanted(calls[p]) ? plan_product(request, calls[p]) : std::vector<ProductPlan>(1);
  std::optional<Planned> best;
  for (const ProductPlan& dA : plans[0]) {
    for (const ProductPlan& dB : plans[1]) {
      Planned both{{dA, dB}, gradient.sums_seconds + dA.seconds + dB.seconds};
      if (is_wanted(calls[0])) both.seconds_behind = seconds_behind(family_of(dA, true), calls[0], request);
      if (can_run_beside(both.products, request.machine))
        both.seconds_beside = seconds_beside(both.products, request.machine);
      both.products[1].runs_beside = both.seconds_beside > 0;
      if (both.products[1].runs_beside)
        both.products[1].beside_scratch_bytes = scratch_beside(both.products, request.machine);
      both.seconds -= both.seconds_beside;
      take_cheaper(best, both);
    }
  }
  return best;
}

bool has_products(const Planned& planned) {
  return std::ranges::any_of(planned.products, [](const ProductPlan& product) { return product.teams() > 0; });
}

/// All results of gemm_backward, and the passes around the products.
struct PlannedGradients {
  Planned products;
  GradientPlan gradient{}, below{};

  double seconds() const {
    return gradient.seconds + products.seconds + products.seconds_behind + below.seconds + below.sums_seconds;
  }
};

void take_cheaper(std::optional<PlannedGradients>& best, std::optional<PlannedGradients> other) {
  if (other && (!best || other->seconds() < best->seconds())) best = std::move(other);
}

/// By families that form dZ as they go, or behind a pass. A family that is asked for does all that it can itself. If
/// the call has a layer below, it is by kernels that form its dZ.
std::optional<PlannedGradients> plan_all_products(const Request& request, const Call& call) {
  std::optional<Planned> at_once = plan_cover(request, Covers::gradients, {&call, 1});
  if (at_once && !has_products(*at_once)) at_once.reset();  // dbias alone is the pass's
  std::optional<PlannedGradients> best;
  if (at_once) best = PlannedGradients{*at_once};
  // A user's activation has a pass for element types that Tegula knows.
  const bool is_asked_at_once = at_once && !request.options.family.empty();
  const bool has_pass         = has_known_elements(call) && (call.is_built_in || call.passes.form_dZ != nullptr);
  if (is_asked_at_once || !has_pass) return best;
  GradientPlan gradient = plan_gradient(call, request.machine);
  predict_column_sums(gradient, request.machine);
  const auto calls              = gradient_products(call, gradient_of(call, gradient, some_workspace()));
  std::optional<Planned> behind = plan_one_by_one(request, calls, gradient);
  if (is_wanted(calls[0]) && is_wanted(calls[1]))
    take_cheaper(behind, plan_cover(request, Covers::two_products, calls));
  if (!behind) return best;
  if (behind->is_one_kernel) gradient.sums_seconds = 0;  // of its own time
  const PlannedGradients other{*behind, gradient};
  if (!best || other.seconds() <= best->seconds()) best = other;
  return best;
}

/// Parts of the rows of dA of which its kernel sums the columns.
std::int64_t parts_of_sums_below(const ProductPlan& dA, BelowBy by) {
  if (by == BelowBy::column_sums) return ceil_div(dA.shape.m, std::int64_t(rows_of_sums));
  return dA.holding_teams / ceil_div(dA.shape.n, std::int64_t(dA.tile.n));
}

/// Bytes that kernels read of what the layer below saved. A kernel that multiplies A, too, has got it if it is A.
double bytes_of_saved_below(const Call& call, bool multiplies_A) {
  const LayerBelow& below = *call.below;
  const bool is_A         = below.saved.data == call.A.data && below.saved.row_stride == call.A.row_stride &&
                    below.saved.column_stride == call.A.column_stride;
  if (below.has_constant_slope || (multiplies_A && is_A)) return 0;
  return number(call.dA.rows) * number(call.dA.columns) * static_cast<double>(below.saved.element_bytes);
}

/// Adds what is left to be done behind kernels that form dZ of the layer below: its dbias, by adding the sums that they
/// leave, or by a pass. They also read what was saved.
void add_rest_of_below(PlannedGradients& plan, const Call& call, const Request& request) {
  auto& [dA, dB]          = plan.products.products;
  dA.forms_dZ_below       = true;
  const BelowBy by        = family_of(dA, !plan.products.is_one_kernel).below;
  const bool has_one_pass = by == BelowBy::team_sums && dB.teams() > 0;
  const double reading    = bytes_of_saved_below(call, has_one_pass) / request.machine.rates->memory;
  dA.seconds += reading;
  plan.products.seconds += reading;
  plan.products.seconds_behind = 0;  // planned here
  if (call.below->dbias.data == nullptr) return;
  if (by == BelowBy::slopes) {
    plan.below = plan_below(call, true, request.machine);
    return;
  }
  plan.below.sums_columns  = true;
  const std::int64_t parts = parts_of_sums_below(dA, by);
  if (by == BelowBy::team_sums && parts == 1) return;  // a team's sums are all there is
  plan.below.parts      = parts;
  plan.below.sums_bytes = static_cast<std::size_t>(plan.below.parts * call.dA.columns) *
                          static_cast<std::size_t>(element_bytes(call.accumulator));
  predict_column_sums(plan.below, request.machine);
}

/// gemm_backward with a layer below: by kernels of products that form its dZ, or by a pass behind them.
std::optional<PlannedGradients> plan_with_below(const Request& request, const Call& call) {
  auto best = plan_all_products(request, without_below(call));
  if (best) best->below = plan_below(call, false, request.machine);
  // Kernels have no room for a derivative that takes an exponential.
  const bool may_be_fused = call.below->is_built_in && !call.below->is_identity() &&
                            is_one_of(OutputActivations(), call.below->activation) &&
                            call.dA.rows * call.dA.columns > 0;
  if (!may_be_fused) return best;
  auto fused = plan_all_products(request, call);
  if (fused) add_rest_of_below(*fused, call, request);
  take_cheaper(best, std::move(fused));
  return best;
}

bool plan_gradients(const Request& request, const Call& call, Plan& plan) {
  const bool has_own_kernel = call.portable != nullptr;
  const auto best = call.below && !has_own_kernel ? plan_with_below(request, call) : plan_all_products(request, call);
  if (!best) return false;
  plan.products       = best->products.products;
  plan.is_one_kernel  = best->products.is_one_kernel;
  plan.seconds_beside = best->products.seconds_beside;
  plan.gradient       = best->gradient;
  plan.below          = best->below;
  if (has_own_kernel)
    plan_sums_below(plan, call, call.portable->accumulator_bytes, threads_at_once(request.machine),
                    summed_at_once<false>);
  return true;
}

/// Kernels that take up to so many times as long as a launch may begin early. What begins while another kernel still
/// has some of the multiprocessors is not spread over them evenly, which costs a long kernel more than the launch that
/// it saves: measured on an H200, where kernels from 10 microseconds on gained nothing and some took half as long
/// again.
constexpr double longest_early_kernel = 12;

/// Whether a pass of the call, or a copy of an operand, is right in front of a product's kernel.
bool is_behind_a_pass(const Plan& plan, std::size_t p) {
  const ProductPlan& product = plan.products[p];
  const bool is_first        = p == 0 || plan.is_one_kernel || plan.products[0].teams() == 0;
  return (is_first && plan.gradient.teams() > 0) || product.left_copy_bytes + product.right_copy_bytes > 0 ||
         product.passes.left_bytes + product.passes.right_bytes > 0;
}

/// Passes end everywhere at about the same time, and a team that needs a whole multiprocessor goes to one of its own,
/// whenever it begins: so such kernels begin early behind them, however long they are.
void let_kernels_begin_early(Plan& plan, const CudaMachine& machine) {
  double all            = 0;
  bool is_behind_passes = false;
  for (std::size_t p = 0; p < plan.products.size(); ++p) {
    all += plan.products[p].seconds;
    is_behind_passes |= plan.products[p].teams() > 0 && is_behind_a_pass(plan, p);
  }
  for (std::size_t p = 0; p < plan.products.size(); ++p) {
    ProductPlan& product = plan.products[p];
    const double seconds = plan.is_one_kernel ? all : product.seconds;
    const bool is_short  = seconds > 0 && seconds <= longest_early_kernel * machine.rates->kernel;
    const bool is_alone  = 2 * product.scratch_bytes > machine.scratch_max;  // on a multiprocessor
    const bool is_behind = plan.is_one_kernel ? is_behind_passes : is_behind_a_pass(plan, p);
    product.begins_early = is_short || (product.teams() > 0 && is_alone && is_behind);
  }
}

/// Which kernels have others of the call right behind them that are no products. Those of its last product do, or of
/// both at once, where sums are added or results finished, and one with split-k whose slices they are.
void tell_who_is_followed(Plan& plan) {
  const auto& [dA, dB]    = plan.products;
  const ProductPlan& last = dB.teams() > 0 ? dB : dA;
  const bool ends_in_sums = dA.split_k > 1 || (plan.gradient.sums_bytes > 0 && !plan.is_one_kernel);
  const bool ends_in_more = ends_in_sums || dA.passes.finishes || dB.passes.finishes || plan.below.parts > 0;
  for (ProductPlan& product : plan.products) {
    const bool is_last  = plan.is_one_kernel || &product == &last;
    product.is_followed = product.split_k > 1 || (is_last && ends_in_more);
  }
}

/// What the plan says of itself as a whole.
void describe_whole(Plan& plan, const Call& call, const Request& request) {
  constexpr const char* names[] = {"dA", "dB^T"};
  for (std::size_t p = 0; p < plan.products.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (product.teams() == 0) continue;
    if (call.is_backward) product.name = names[p];
    plan.threads       = std::max(plan.threads, product.threads);
    plan.scratch_bytes = std::max(plan.scratch_bytes, product.scratch_bytes);
    if (*plan.family == '\0') plan.family = product.family;
    if (product.left_bytes != sizeof(float)) continue;
    for (const CudaFamily* family : cuda_families())
      if (family->name == product.family && family->instructions != nullptr)
        plan.instructions = family->instructions(call);
  }
  if (*plan.family == '\0') plan.family = "passes";
  plan.machine        = request.machine.rates->name.c_str();
  plan.machine_source = request.machine.rates->source.c_str();
  plan.reason =
      request.options.tile == TileShape{} ? "it is predicted to take the least time" : "the options ask for this tile";
}

bool plan_gemm(const Request& request, const Call& call, Plan& plan) {
  if (!is_wanted(call)) return true;
  const auto plans = plan_product(request, call);
  if (plans.empty()) return false;
  plan.products[0] = *std::ranges::min_element(plans, {}, &ProductPlan::seconds);
  return true;
}

}  // namespace

Plan plan_cuda_call(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                    const ArgumentList& arguments) {
  check_plan_options(options, arguments, true);
  const Request request{machine, options};
  Plan plan           = uncut_plan("", "Cuda", call);
  plan.products       = {};
  const bool is_found = call.is_backward ? plan_gradients(request, call, plan) : plan_gemm(request, call, plan);
  // Where there is no product, no family was asked.
  if (!is_found || (plan.teams() == 0 && is_family_refused(call, request)))
    fail_without_proposal(call, request, arguments);
  let_kernels_begin_early(plan, machine);
  tell_who_is_followed(plan);
  describe_whole(plan, call, request);
  check_league(plan, arguments);
  return plan;
}

std::vector<FamilyProposal> cuda_proposals(const Call& product, const CudaMachine& machine,
                                           const PlanOptions& options) {
  std::vector<FamilyProposal> all;
  for_each_proposal({machine, options}, Covers::product, {&product, 1},
                    [&](const CudaFamily& family, const Proposal& proposal) {
                      all.push_back({&family, proposal});
                    });
  return all;
}

}  // namespace Tegula::Impl
