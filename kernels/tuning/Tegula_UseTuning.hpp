// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_USE_TUNING_HPP
#define TEGULA_USE_TUNING_HPP

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>

#include "Tegula_Plan.hpp"
#include "Tegula_TuningFile.hpp"

/// The tuning file in use, and the file that calls are recorded in (core/Tegula_Tuning.hpp). Nothing here needs Kokkos.

namespace Tegula::Impl {

/// Whether any call is looked up or recorded. It is so until the environment was read.
inline std::atomic<bool> is_planning_watched{true};

/// The device that a call is planned for. Its texts live until the program ends.
struct PlanningDevice {
  const char* name;
  const char* space;
  const char* instructions = "";  // of a host
  int threads              = 0;
  int multiprocessors      = 0;  // of a GPU
  int memory_gib           = 0;

  bool is_host() const { return multiprocessors == 0; }

  /// Of texts their addresses: what is equal is alike, what is alike may be told apart.
  friend bool operator==(const PlanningDevice&, const PlanningDevice&) = default;
};

/// A host as entries name it.
PlanningDevice planning_host(const char* space, int threads);

TuningDevice tuning_device(const PlanningDevice& device);

/// What the tuning file in use says of a call.
struct TuningAdvice {
  const TunedWay* way = nullptr;  // null: there is none
  const char* why     = "";       // for describe; lives until the program ends
};

/// Looks a call up, and records it if it was never seen. Warns, once, of a file that has nothing for the device.
TuningAdvice advice_on(const Call& call, const PlanOptions& options, const PlanningDevice& device);

/// The same text, which lives until the program ends.
const char* kept_text(const std::string& text);

/// A plan as the tuning file in use has it, or own() if there is none or it has none for this call. by_way(way) is an
/// optional plan: nothing, or std::invalid_argument, if the way is not possible.
template <class Own, class ByWay>
Plan plan_as_tuned(const Call& call, const PlanOptions& options, const PlanningDevice& device, const Own& own,
                   const ByWay& by_way) {
  const auto [way, why]        = advice_on(call, options, device);
  const auto planned_by_itself = [&](const char* text) {
    Plan plan   = own();
    plan.tuning = text;
    return plan;
  };
  if (way == nullptr || is_planners_own(*way)) return planned_by_itself(why);
  std::string refusal = "no kernel takes it";
  try {
    if (std::optional<Plan> plan = by_way(*way)) {
      plan->tuning = why;
      return *std::move(plan);
    }
  } catch (const std::invalid_argument& error) {
    refusal = error.what();
    refusal = refusal.substr(0, refusal.find('\n'));
  }
  return planned_by_itself(kept_text(std::string(why) + ", but not possible: " + refusal));
}

}  // namespace Tegula::Impl

#endif
