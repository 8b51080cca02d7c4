// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaPlanner.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "Tegula_CudaPasses.hpp"
#include "Tegula_CudaProducts.hpp"
#include "Tegula_CudaSliceSums.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_QueueInOrder.hpp"
#include "Tegula_TileModel.hpp"
#include "host/Tegula_HostFamily.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

/// Products that are cut, and what they take.
struct Planned {
  std::array<ProductPlan, 2> products{};
  double seconds     = 0;
  bool is_one_kernel = false;
};

/// What a call is planned for.
struct Request {
  const CudaMachine& machine;
  const PlanOptions& options;

  bool allows(const CudaFamily& family) const { return options.family.empty() || options.family == family.name; }
};

/// Calls visit(family, proposal) for all that the families that cover this propose.
template <class Visit>
void for_each_proposal(const Request& request, Covers covers, const Calls& calls, const Visit& visit) {
  for (const CudaFamily* family : cuda_families()) {
    if (family->covers != covers || !request.allows(*family)) continue;
    if (refusal_of(*family, calls, request.machine, request.options) != nullptr) continue;
    family->propose(calls, request.machine, request.options, [&](const Proposal& p) { visit(*family, p); });
  }
}

/// The cheapest of them; nothing if there is none.
std::optional<Planned> plan_cover(const Request& request, Covers covers, const Calls& calls) {
  const CudaFamily* best = nullptr;
  Proposal cheapest;
  for_each_proposal(request, covers, calls, [&](const CudaFamily& family, const Proposal& proposal) {
    if (best != nullptr && proposal.seconds >= cheapest.seconds) return;
    best     = &family;
    cheapest = proposal;
  });
  if (best == nullptr) return std::nullopt;
  return Planned{best->cut(calls, request.machine, request.options, cheapest), cheapest.seconds,
                 covers != Covers::product};
}

/// Stands for a workspace while its place is not known: only its alignment counts.
char* some_workspace() { return reinterpret_cast<char*>(std::uintptr_t(4096)); }

/// The cheaper of a call of gemm as it is and with passes.
std::optional<Planned> plan_product(const Request& request, const Call& call) {
  std::optional<Planned> best = plan_cover(request, Covers::product, {&call, 1});
  auto passes                 = with_passes(call, some_workspace());
  if (!passes) return best;
  std::optional<Planned> behind = plan_cover(request, Covers::product, {&passes->product, 1});
  if (!behind) return best;
  predict_passes(*passes, request.machine);
  behind->seconds += passes->plan.seconds();
  behind->products[0].passes  = passes->plan;
  behind->products[0].seconds = behind->seconds;
  return best && best->seconds <= behind->seconds ? best : behind;
}

/// Both products of gemm_backward, one by one, and the kernel that adds the sums of columns.
std::optional<Planned> plan_one_by_one(const Request& request, const std::array<Call, 2>& calls,
                                       const GradientPlan& gradient) {
  Planned both;
  both.seconds = gradient.sums_seconds;
  for (std::size_t p = 0; p < calls.size(); ++p) {
    if (!is_wanted(calls[p])) continue;
    const auto planned = plan_product(request, calls[p]);
    if (!planned) return std::nullopt;
    both.products[p] = planned->products[0];
    both.seconds += planned->seconds;
  }
  return both;
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
  plan.products      = at_once->products;
  plan.is_one_kernel = at_once->is_one_kernel;
  return true;
}

/// The calls that families which cover this are asked for, as far as they are wanted.
std::vector<Call> calls_for(Covers covers, const Call& call, const CudaMachine& machine) {
  if ((covers == Covers::gradients) == call.is_backward && covers != Covers::two_products) return {call};
  if (!call.is_backward || covers == Covers::gradients) return {};
  const auto products = gradient_products(call, gradient_of(call, plan_gradient(call, machine), some_workspace()));
  std::vector<Call> wanted;
  std::copy_if(products.begin(), products.end(), std::back_inserter(wanted),
               [](const Call& c) { return is_wanted(c); });
  if (wanted.empty()) wanted.assign(products.begin(), products.end());  // whoever takes the types takes nothing, too
  return wanted;
}

/// Why a family does not compute any of these calls; null if it does.
const char* refusal_of_any(const CudaFamily& family, const std::vector<Call>& calls, const Request& request) {
  if (calls.empty()) return family.types;
  const char* reason = nullptr;
  for (const Call& call : calls) {
    const auto passes = with_passes(call, some_workspace());
    reason            = refusal_of(family, {&call, 1}, request.machine, request.options);
    if (reason != nullptr && passes && family.covers == Covers::product)
      reason = refusal_of(family, {&passes->product, 1}, request.machine, request.options);
    if (reason == nullptr) return nullptr;
  }
  return reason;
}

/// The reasons of families by name: one of them may have several rows.
class Reasons {
 public:
  void add(const char* name, const char* reason) {
    const auto same =
        std::find_if(all_.begin(), all_.end(), [&](const FamilyRefusal& r) { return std::string(r.name) == name; });
    if (same == all_.end()) {
      all_.push_back({name, reason});
    } else if (reason == nullptr) {
      same->reason = nullptr;
    }
  }
  const std::vector<FamilyRefusal>& all() const { return all_; }

 private:
  std::vector<FamilyRefusal> all_;
};

std::string offered_tiles(const Call& call, const Request& request) {
  PlanOptions any = request.options;
  any.tile        = {};
  std::vector<std::string> tiles;
  const Request every{request.machine, any};
  for (const Covers covers : {Covers::product, Covers::gradients}) {
    for (const Call& asked : calls_for(covers, call, request.machine)) {
      for_each_proposal(every, covers, {&asked, 1},
                        [&](const CudaFamily&, const Proposal& proposal) { tiles.push_back(text(proposal.tile)); });
    }
  }
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  std::string list;
  for (const std::string& tile : tiles) list += ' ' + tile;
  return list;
}

[[noreturn]] void fail_without_proposal(const Call& call, const Request& request, const ArgumentList& arguments) {
  std::vector<FamilyRefusal> refusals = cuda_refusals(call, request.machine, request.options);
  const std::string& family           = request.options.family;
  const bool some_take_it             = std::any_of(refusals.begin(), refusals.end(), [&](const FamilyRefusal& r) {
    return r.reason == nullptr && (family.empty() || family == r.name);
  });
  if (some_take_it && request.options.tile != TileShape{}) {
    arguments.fail((family.empty() ? "no kernel family has a" : "the " + family + " family has no") + " tile " +
                   text(request.options.tile) + ", only" + offered_tiles(call, request));
  }
  for (FamilyRefusal& refusal : refusals)
    if (refusal.reason == nullptr) refusal.reason = "it takes this call only in part, or with other options";
  refusals.insert(refusals.begin(), {host_family, host_types});
  fail_without_family(arguments, family, "Cuda", refusals);
}

/// Whether options name a family that does not exist, or takes no part in the call.
bool is_refused(const Call& call, const Request& request) {
  if (request.options.family.empty()) return false;
  const auto refusals = cuda_refusals(call, request.machine, request.options);
  return std::none_of(refusals.begin(), refusals.end(),
                      [&](const FamilyRefusal& r) { return request.options.family == r.name && r.reason == nullptr; });
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
  const auto planned = plan_product(request, call);
  if (planned) plan.products = planned->products;
  return planned.has_value();
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
  if (!is_found || (plan.teams() == 0 && is_refused(call, request))) fail_without_proposal(call, request, arguments);
  describe_whole(plan, call, request);
  check_league(plan, arguments);
  return plan;
}

std::vector<FamilyRefusal> cuda_refusals(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  const Request request{machine, options};
  Reasons reasons;
  for (const CudaFamily* family : cuda_families())
    reasons.add(family->name, refusal_of_any(*family, calls_for(family->covers, call, machine), request));
  return reasons.all();
}

std::vector<FamilyRefusal> refusals_without_cuda() {
  Reasons reasons;
  for (const CudaFamily* family : cuda_families())
    if (family->name != std::string_view("portable"))
      reasons.add(family->name, family->launch == nullptr ? no_cuda_kernels : family->types);
  return reasons.all();
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

#if TEGULA_HAS_MMA
namespace {

/// What is launched.
struct PlannedCall {
  const Kokkos::Cuda& exec;
  const Call& call;
  const Plan& plan;
  char* workspace;
};

/// The row of the family that computes a product, alone or with the other one.
const CudaFamily& family_of(const ProductPlan& product, bool is_alone) {
  for (const CudaFamily* family : cuda_families())
    if (family->name == product.family && (family->covers == Covers::product) == is_alone) return *family;
  throw std::logic_error("Tegula: no family is called " + std::string(product.family));
}

/// A product, its passes, and the addition of its slices.
void launch_product(const PlannedCall& planned, const Call& call, std::size_t p, const CallableRef& before) {
  const Plan& plan           = planned.plan;
  const ProductPlan& product = plan.products[p];
  if (product.teams() == 0) return before();
  const auto passes = product.passes.any() ? with_passes(call, planned.workspace + plan.passes_workspace(p))
                                           : std::optional<CallWithPasses>();
  const Call& alone = passes ? passes->product : call;
  const KernelLabel label(plan, product);
  const CudaFamily& family = family_of(product, true);
  char* const memory       = product_workspace(plan, p, planned.workspace);
  const Kokkos::Cuda& exec = planned.exec;
  const FinishCall nothing{};
  const auto pass_before = [&](const char* step, const FinishCall& pass) {
    return [&, step](const CallableRef& first) { launch_widening(exec, label + step, pass, first); };
  };
  queue_in_order(
      before, pass_before(widen_steps[0], passes ? passes->widen_left : nothing),
      pass_before(widen_steps[1], passes ? passes->widen_right : nothing),
      [&](const CallableRef& first) {
        family.launch({exec, {&alone, 1}, plan, {&product, 1}, memory, {}, first});
      },
      [&](const CallableRef& first) {
        first();
        if (!family.adds_slices) launch_slices(exec, label, alone, product, memory);
      },
      [&](const CallableRef& first) { launch_finishing(exec, label, call, passes ? passes->finish : nothing, first); });
}

/// The pass before the products of gemm_backward.
void launch_gradient(const PlannedCall& planned, const CallableRef& before) {
  const auto& [exec, call, plan, workspace] = planned;
  char* const memory                        = workspace + plan.gradient_workspace();
  if (!call.is_built_in) return call.passes.form_dZ(&exec, KernelLabel(plan), call, plan.gradient, memory, before);
  with_bits(call, [&]<class Bits>() {
    launch_gradient_pass(exec, KernelLabel(plan), gradient_call<Bits>(call), plan.gradient, memory, before);
  });
}

/// Adds the sums of columns that the pass left in parts.
void launch_dbias(const PlannedCall& planned, const CallableRef& before) {
  const auto& [exec, call, plan, workspace] = planned;
  char* const memory                        = workspace + plan.gradient_workspace();
  with_bits(call, [&]<class Bits>() {
    const auto formed = formed_gradient(gradient_call<Bits>(call), plan.gradient, memory);
    launch_column_sums(exec, KernelLabel(plan), formed.dbias, before);
  });
}

/// Both products by one launch, which adds the sums of columns, too.
void launch_pair(const PlannedCall& planned, const std::array<Call, 2>& calls, const CallableRef& before) {
  const auto& [exec, call, plan, workspace] = planned;
  const auto formed =
      formed_gradient(gradient_call<std::uint16_t>(call), plan.gradient, workspace + plan.gradient_workspace());
  family_of(plan.products[0], false).launch({exec, calls, plan, plan.products, workspace, formed.dbias, before});
  for (std::size_t p = 0; p < calls.size(); ++p)
    launch_slices(exec, KernelLabel(plan, plan.products[p]), calls[p], plan.products[p],
                  product_workspace(plan, p, workspace));
}

/// The products of gemm_backward, behind the pass that forms dZ.
void launch_products(const PlannedCall& planned) {
  const auto& [exec, call, plan, workspace] = planned;
  const auto calls = gradient_products(call, gradient_of(call, plan.gradient, workspace + plan.gradient_workspace()));
  const auto pass  = [&](const CallableRef& before) { launch_gradient(planned, before); };
  if (plan.is_one_kernel)
    return queue_in_order(CallableRef(), pass, [&](const CallableRef& before) { launch_pair(planned, calls, before); });
  const auto product = [&](std::size_t p) {
    return [&, p](const CallableRef& before) { launch_product(planned, calls[p], p, before); };
  };
  queue_in_order(CallableRef(), pass, product(0), product(1),
                 [&](const CallableRef& before) { launch_dbias(planned, before); });
}

}  // namespace

void launch_cuda_plan(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace) {
  const PlannedCall planned{exec, call, plan, workspace};
  if (!call.is_backward) return launch_product(planned, call, 0, CallableRef());
  const CudaFamily* const family =
      plan.is_one_kernel ? &family_of(plan.products[plan.products[0].teams() > 0 ? 0 : 1], false) : nullptr;
  if (family == nullptr || family->covers == Covers::two_products) return launch_products(planned);
  family->launch({exec, {&call, 1}, plan, plan.products, workspace, {}, CallableRef()});
}
#endif

}  // namespace Tegula::Impl
