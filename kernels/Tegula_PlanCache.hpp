// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PLAN_CACHE_HPP
#define TEGULA_PLAN_CACHE_HPP

#include <array>
#include <cstddef>
#include <memory>

#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// A call that is planned: what plans depend on.
struct CallToPlan {
  const PlannedPlace& place;
  const Call& call;
  const PlanOptions& options;
};

/// The plans of calls that a thread made lately. A plan has one place, by a hash of the call, and the next one with
/// that place takes it. A plan is found only for a call that would be planned alike. Nothing here needs Kokkos.
class PlanCache {
 public:
  static constexpr std::size_t places = 64;

  static PlanCache& of_this_thread();

  /// Every thread plans anew, also what it is planning now.
  static void forget_all();
  /// How often that was.
  static unsigned era();

  /// use(plan) with the plan of such a call: make() unless the thread planned one lately. While a plan is in use all of
  /// them stay where they are: a call that is made meanwhile, by a user's activation or a tool, plans for itself.
  template <class Make, class Use>
  void with_plan(const CallToPlan& call, const Make& make, const Use& use) {
    if (is_in_use_) return use(make());
    const Plan* plan = find(call);
    if (plan == nullptr) plan = &keep(make(), call);
    const InUse in_use(is_in_use_);
    use(*plan);
  }

 private:
  using Plans = std::array<Plan, places>;

  struct InUse {
    bool& flag;

    explicit InUse(bool& flag_) : flag(flag_) { flag = true; }
    ~InUse() { flag = false; }
    InUse(const InUse&)            = delete;
    InUse& operator=(const InUse&) = delete;
  };

  const Plan* find(const CallToPlan& call) const;
  const Plan& keep(Plan plan, const CallToPlan& call);  // which remembers the call

  std::unique_ptr<Plans> plans_;  // threads that do not plan have none
  unsigned era_   = 0;            // of the plans: how often all were forgotten before
  bool is_in_use_ = false;
};

}  // namespace Tegula::Impl

#endif
