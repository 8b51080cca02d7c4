// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaPlanner.hpp"

#include <algorithm>
#include <optional>

#include "Tegula_CudaPasses.hpp"
#include "Tegula_CudaPlanRefusal.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_ProductsBeside.hpp"
#include "Tegula_TileModel.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

/// Products that are cut, and what they take.
struct Planned {
  std::array<ProductPlan, 2> products{};
  double seconds        = 0;
  bool is_one_kernel    = false;
  double seconds_beside = 0;  // see Plan
};

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
  const auto& [family, proposal] = *std::ranges::min_element(
      proposals, {}, [](const FamilyProposal& of_family) { return of_family.proposal.seconds; });
  return Planned{family->cut(calls, request.machine, request.options, proposal), proposal.seconds, true};
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
      if (can_run_beside(both.products, request.machine))
        both.seconds_beside = seconds_beside(both.products, request.machine);
      both.products[1].runs_beside = both.seconds_beside > 0;
      if (both.products[1].runs_beside)
        both.products[1].beside_scratch_bytes = scratch_beside(both.products, request.machine);
      both.seconds -= both.seconds_beside;
      if (!best || both.seconds < best->seconds) best = both;
    }
  }
  return best;
}

void take_cheaper(std::optional<Planned>& best, std::optional<Planned> other) {
  if (other && (!best || other->seconds < best->seconds)) best = std::move(other);
}

/// gemm_backward: by families that form dZ as they go, or behind a pass. A family that is asked for does all that it
/// can itself.
bool plan_gradients(const Request& request, const Call& call, Plan& plan) {
  std::optional<Planned> at_once = plan_cover(request, Covers::gradients, {&call, 1});
  std::optional<Planned> behind;
  GradientPlan gradient;
  // A user's activation has a pass for element types that Tegula knows.
  const bool is_asked_at_once = at_once && !request.options.family.empty();
  if (!is_asked_at_once && has_known_elements(call) && (call.is_built_in || call.passes.form_dZ != nullptr)) {
    gradient = plan_gradient(call, request.machine);
    if (gradient.sums_bytes > 0)
      gradient.sums_seconds = pass_seconds(request.machine, static_cast<double>(gradient.sums_bytes));
    const auto calls = gradient_products(call, gradient_of(call, gradient, some_workspace()));
    behind           = plan_one_by_one(request, calls, gradient);
    if (is_wanted(calls[0]) && is_wanted(calls[1]))
      take_cheaper(behind, plan_cover(request, Covers::two_products, calls));
  }
  if (!at_once && !behind) return false;
  if (behind && (!at_once || gradient.seconds + behind->seconds <= at_once->seconds)) {
    plan.gradient = gradient;
    if (behind->is_one_kernel) plan.gradient.sums_seconds = 0;  // of its own time
    at_once = behind;
  }
  plan.products       = at_once->products;
  plan.is_one_kernel  = at_once->is_one_kernel;
  plan.seconds_beside = at_once->seconds_beside;
  return true;
}

/// Kernels that take up to so many times as long as a launch may begin early. What begins while another kernel still
/// has some of the multiprocessors is not spread over them evenly, which costs a long kernel more than the launch that
/// it saves: measured on an H200, where kernels from 10 microseconds on gained nothing and some took half as long
/// again.
constexpr double longest_early_kernel = 12;

void let_short_kernels_begin_early(Plan& plan, const CudaMachine& machine) {
  double all = 0;
  for (const ProductPlan& product : plan.products) all += product.seconds;
  for (ProductPlan& product : plan.products) {
    const double seconds = plan.is_one_kernel ? all : product.seconds;
    product.begins_early = seconds > 0 && seconds <= longest_early_kernel * machine.rates->kernel;
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
    for (const CudaFamily* family : cuda_families())
      if (family->name == product.family && *family->instructions != '\0') plan.instructions = family->instructions;
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
  check_plan_options(options, arguments);
  const Request request{machine, options};
  Plan plan           = uncut_plan("", "Cuda", call);
  plan.products       = {};
  const bool is_found = call.is_backward ? plan_gradients(request, call, plan) : plan_gemm(request, call, plan);
  // Where there is no product, no family was asked.
  if (!is_found || (plan.teams() == 0 && is_family_refused(call, request)))
    fail_without_proposal(call, request, arguments);
  let_short_kernels_begin_early(plan, machine);
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
