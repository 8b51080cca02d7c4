// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfRegret.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "Tegula_PerfCase.hpp"

namespace Tegula::Perf {
namespace {

constexpr const char* heading = "type,set,geometric_mean,within_1_05,within_1_15,unmeasured";

const char* set_name(bool is_held) { return is_held ? "held" : "fit"; }

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 256> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

RegretGroup& group_of(std::vector<RegretGroup>& groups, const CallTimes& times) {
  const std::string type = kind_of(times.call);
  const auto found       = std::find_if(groups.begin(), groups.end(), [&](const RegretGroup& group) {
    return group.type == type && group.is_held == times.is_held;
  });
  return found != groups.end() ? *found : groups.emplace_back(RegretGroup{type, times.is_held});
}

RegretLimit limit_of(const std::string& line) {
  std::array<std::string, 6> fields;
  std::istringstream all(line);
  for (std::string& field : fields) std::getline(all, field, ',');
  if (fields[1] != "fit" && fields[1] != "held")
    throw std::invalid_argument('"' + fields[1] + "\" is neither fit nor held");
  RegretLimit limit{fields[0], fields[1] == "held"};
  double* const numbers[] = {&limit.geometric_mean, &limit.within_1_05, &limit.within_1_15, &limit.unmeasured};
  for (std::size_t number = 0; number < std::size(numbers); ++number) {
    std::istringstream text(fields[number + 2]);
    if (!(text >> *numbers[number]) || !text.eof())
      throw std::invalid_argument('"' + fields[number + 2] + "\" is no number");
  }
  return limit;
}

void add_violations(std::vector<std::string>& found, const RegretGroup& group, const RegretLimit& limit) {
  const std::string name = group.type + ' ' + set_name(group.is_held) + ": ";
  const auto check       = [&](bool holds, const char* what, double value, double bound) {
    if (!holds) found.push_back(name + formatted("%s is %.4f, the limit is %.4f", what, value, bound));
  };
  const auto unmeasured = static_cast<double>(group.unmeasured.size());
  if (unmeasured > limit.unmeasured)
    found.push_back(name + formatted("%g choices were not measured, the limit is %g", unmeasured, limit.unmeasured));
  const double mean = group.geometric_mean(), near = group.within(1.05), fair = group.within(1.15);
  check(mean <= limit.geometric_mean, "the geometric mean", mean, limit.geometric_mean);
  check(near >= limit.within_1_05, "the share within 1.05", near, limit.within_1_05);
  check(fair >= limit.within_1_15, "the share within 1.15", fair, limit.within_1_15);
}

std::string line_of(const CallRegret& call) {
  const auto way = [](const WayTime& time) { return text(time.way) + formatted(" %.4g us", time.microseconds); };
  return formatted("%5.2f  ", call.regret()) + text(call.times->call) + ": " + way(call.chosen) + ", best " +
         way(call.best);
}

}  // namespace

std::optional<double> microseconds_of(const CallTimes& times, const Way& way) {
  const WayTime *below = nullptr, *above = nullptr;  // the nearest splits of this tile
  for (const WayTime& time : times.ways) {
    if (time.way.family != way.family || time.way.tile != way.tile || time.way.whole_waves != way.whole_waves) continue;
    const std::int64_t split = time.way.split_k;
    if (split <= way.split_k && (below == nullptr || split > below->way.split_k)) below = &time;
    if (split >= way.split_k && (above == nullptr || split < above->way.split_k)) above = &time;
  }
  if (below == nullptr && above == nullptr) return std::nullopt;
  if (below == nullptr || above == nullptr || below == above) return (below ? below : above)->microseconds;
  const auto logarithm = [](std::int64_t split) { return std::log(static_cast<double>(split)); };
  const double low = logarithm(below->way.split_k), high = logarithm(above->way.split_k);
  const double place = (logarithm(way.split_k) - low) / (high - low);
  return std::exp((1 - place) * std::log(below->microseconds) + place * std::log(above->microseconds));
}

const WayTime& best_way(const CallTimes& times) {
  return *std::min_element(times.ways.begin(), times.ways.end(),
                           [](const WayTime& a, const WayTime& b) { return a.microseconds < b.microseconds; });
}

double RegretGroup::geometric_mean() const {
  double logarithms = 0;
  for (const CallRegret& call : calls) logarithms += std::log(call.regret());
  return calls.empty() ? 1 : std::exp(logarithms / static_cast<double>(calls.size()));
}

double RegretGroup::within(double regret) const {
  const auto near =
      std::count_if(calls.begin(), calls.end(), [&](const CallRegret& c) { return c.regret() <= regret; });
  return calls.empty() ? 1 : static_cast<double>(near) / static_cast<double>(calls.size());
}

std::vector<RegretGroup> regrets(const std::vector<CallTimes>& times, const Planner& planner) {
  std::vector<RegretGroup> groups;
  for (const CallTimes& call : times) {
    RegretGroup& group = group_of(groups, call);
    const Way way      = planner(planned_call(call.call));
    if (const auto microseconds = microseconds_of(call, way)) {
      const WayTime chosen{way, *microseconds};
      group.calls.push_back({&call, chosen, best_way(call)});
    } else {
      group.unmeasured.push_back({&call, way});
    }
  }
  for (RegretGroup& group : groups)
    std::stable_sort(group.calls.begin(), group.calls.end(),
                     [](const CallRegret& a, const CallRegret& b) { return a.regret() > b.regret(); });
  std::stable_sort(groups.begin(), groups.end(), [](const RegretGroup& a, const RegretGroup& b) {
    return std::pair(a.type, a.is_held) < std::pair(b.type, b.is_held);
  });
  return groups;
}

std::vector<RegretLimit> read_limits(std::istream& lines) {
  std::vector<RegretLimit> limits;
  bool seen_heading = false;
  int number        = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    try {
      if (seen_heading) {
        limits.push_back(limit_of(line));
      } else if (line != heading) {
        throw std::invalid_argument(std::string("the heading \"") + heading + "\" is expected");
      }
      seen_heading = true;
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(std::to_string(number) + ": " + error.what());
    }
  }
  return limits;
}

std::string limits_of(const std::vector<RegretGroup>& groups) {
  constexpr double digits = 1000;
  const auto above        = [](double value) { return std::ceil(value * digits) / digits; };
  const auto below        = [](double value) { return std::floor(value * digits) / digits; };
  std::string text        = std::string(heading) + '\n';
  for (const RegretGroup& group : groups)
    text += formatted("%s,%s,%.3f,%.3f,%.3f,%zu\n", group.type.c_str(), set_name(group.is_held),
                      above(group.geometric_mean()), below(group.within(1.05)), below(group.within(1.15)),
                      group.unmeasured.size());
  return text;
}

std::vector<std::string> violations(const std::vector<RegretGroup>& groups, const std::vector<RegretLimit>& limits) {
  std::vector<std::string> found;
  const auto are_alike = [](const auto& a, const auto& b) { return a.type == b.type && a.is_held == b.is_held; };
  for (const RegretGroup& group : groups) {
    const auto limit = std::find_if(limits.begin(), limits.end(), [&](const auto& l) { return are_alike(l, group); });
    if (limit == limits.end()) {
      found.push_back(group.type + ' ' + set_name(group.is_held) + " has no limit");
    } else {
      add_violations(found, group, *limit);
    }
  }
  for (const RegretLimit& limit : limits)
    if (std::none_of(groups.begin(), groups.end(), [&](const auto& group) { return are_alike(limit, group); }))
      found.push_back(limit.type + ' ' + set_name(limit.is_held) + " has a limit and no times");
  return found;
}

std::string describe(const std::vector<RegretGroup>& groups, int worst) {
  std::string text = formatted("%-16s %-5s %6s %11s %10s %12s %12s %7s\n", "type", "set", "calls", "unmeasured",
                               "geo. mean", "within 1.05", "within 1.15", "worst");
  for (const RegretGroup& group : groups)
    text += formatted("%-16s %-5s %6d %11zu %10.4f %12.3f %12.3f %7.2f\n", group.type.c_str(), set_name(group.is_held),
                      static_cast<int>(group.calls.size()), group.unmeasured.size(), group.geometric_mean(),
                      group.within(1.05), group.within(1.15), group.calls.empty() ? 1 : group.calls.front().regret());
  for (const RegretGroup& group : groups) {
    if (!group.unmeasured.empty()) text += "\nunmeasured of " + group.type + ' ' + set_name(group.is_held) + '\n';
    for (const auto& [times, chosen] : group.unmeasured) {
      const WayTime& best = best_way(*times);
      text += "       " + Perf::text(times->call) + ": " + Perf::text(chosen) + ", best " + Perf::text(best.way) +
              formatted(" %.4g us", best.microseconds) + '\n';
    }
  }
  for (const RegretGroup& group : groups) {
    const auto count = std::min(group.calls.size(), static_cast<std::size_t>(worst));
    if (count > 0) text += "\nworst of " + group.type + ' ' + set_name(group.is_held) + '\n';
    for (std::size_t number = 0; number < count; ++number) {
      text += line_of(group.calls[number]) + '\n';
    }
  }
  return text;
}

}  // namespace Tegula::Perf
