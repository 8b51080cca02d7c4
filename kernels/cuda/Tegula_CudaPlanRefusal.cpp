// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaPlanRefusal.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "Tegula_CudaPasses.hpp"
#include "Tegula_CudaProducts.hpp"
#include "host/Tegula_HostFamily.hpp"

namespace Tegula::Impl {
namespace {

/// The calls that families which cover this are asked for, as far as they are wanted. A layer below refuses nobody: a
/// pass behind the products does what kernels do not.
std::vector<Call> calls_for(Covers covers, const Call& asked, const CudaMachine& machine) {
  const Call call = asked.portable == nullptr ? without_below(asked) : asked;
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

}  // namespace

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

bool is_family_refused(const Call& call, const Request& request) {
  if (request.options.family.empty()) return false;
  const auto refusals = cuda_refusals(call, request.machine, request.options);
  return std::none_of(refusals.begin(), refusals.end(),
                      [&](const FamilyRefusal& r) { return request.options.family == r.name && r.reason == nullptr; });
}

void fail_without_proposal(const Call& call, const Request& request, const ArgumentList& arguments) {
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

}  // namespace Tegula::Impl
