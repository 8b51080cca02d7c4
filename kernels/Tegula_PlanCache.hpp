// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PLAN_CACHE_HPP
#define TEGULA_PLAN_CACHE_HPP

#include <array>
#include <cstddef>
#include <memory>

#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// The plans of calls that a thread made lately, for spaces where to plan takes longer than to look. A plan has one
/// place, by a hash of the call, and the next one with that place takes it. A plan is found only for a call that would
/// be planned alike. Nothing here needs Kokkos.
class PlanCache {
 public:
  static constexpr std::size_t places = 64;

  static PlanCache& of_this_thread();

  /// Every thread plans anew, also what it is planning now.
  static void forget_all();

  /// The plan of such a call, or null.
  const Plan* find(const PlannedFor& call) const;

  /// Keeps a plan for the call that it remembers.
  void keep(const Plan& plan);

 private:
  using Plans = std::array<Plan, places>;

  std::unique_ptr<Plans> plans_;  // threads that do not plan have none
  unsigned era_ = 0;              // of the plans: how often all were forgotten before
};

/// make() unless this thread planned such a call lately. The plan remembers the call.
template <class Make>
Plan plan_once(const PlannedFor& call, const Make& make) {
  PlanCache& cache = PlanCache::of_this_thread();
  if (const Plan* const kept = cache.find(call)) return *kept;
  Plan plan        = make();
  plan.planned_for = call;
  cache.keep(plan);
  return plan;
}

}  // namespace Tegula::Impl

#endif
