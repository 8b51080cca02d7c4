// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_REGRET_HPP
#define TEGULA_PERF_REGRET_HPP

#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "Tegula_PerfTimes.hpp"

/// How much slower than the best way the planner's choice is, by measured times, without a device.

namespace Tegula::Perf {

/// The measured time of a way. Of a split of the inner dimension that was not measured, it lies between those of the
/// neighbours that were, as on a line through the logarithms; nothing if the tile was not measured at all.
std::optional<double> microseconds_of(const CallTimes& times, const Way& way);

/// The fastest way that was measured.
const WayTime& best_way(const CallTimes& times);

/// regret = time of the chosen way / time of the best one, 1 or more
struct CallRegret {
  const CallTimes* times;
  WayTime chosen, best;

  double regret() const { return chosen.microseconds / best.microseconds; }
};

/// The planner's choice for a call.
using Planner = std::function<Way(const Impl::Call&)>;

/// A call whose chosen tile was not measured, and which counts in no regret.
struct UnmeasuredChoice {
  const CallTimes* times;
  Way chosen;
};

/// Of calls that have one name, "bf16", "f32 tf32", and are all to fit models to, or all held.
struct RegretGroup {
  std::string type;
  bool is_held = false;
  std::vector<UnmeasuredChoice> unmeasured{};
  std::vector<CallRegret> calls{};  ///< the worst first

  double geometric_mean() const;
  /// The share of calls, 0 to 1, that take no longer than so many times the best.
  double within(double regret) const;
};

/// By type, those to fit first. The times must live as long as the result.
std::vector<RegretGroup> regrets(const std::vector<CallTimes>& times, const Planner& planner);

/// What regrets may be at most.
struct RegretLimit {
  std::string type;
  bool is_held          = false;
  double geometric_mean = 0, within_1_05 = 0, within_1_15 = 0;
  double unmeasured = 0;  ///< choices
};

/// Lines "type,fit or held,geometric_mean,within_1_05,within_1_15,unmeasured" below the heading that limits_of()
/// writes; # begins a comment. Throws std::runtime_error with the number of the line.
std::vector<RegretLimit> read_limits(std::istream& lines);

/// Such a table of the regrets as they are, rounded to what is a little worse.
std::string limits_of(const std::vector<RegretGroup>& groups);

/// What is worse than its limit, a line each; also a group without a limit, and a limit without a group. Empty:
/// nothing.
std::vector<std::string> violations(const std::vector<RegretGroup>& groups, const std::vector<RegretLimit>& limits);

/// A table of the groups, every choice that was not measured, and so many of the worst calls of each group with the
/// choice and the best way.
std::string describe(const std::vector<RegretGroup>& groups, int worst);

}  // namespace Tegula::Perf

#endif
