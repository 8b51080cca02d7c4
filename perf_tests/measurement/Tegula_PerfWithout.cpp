// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfWithout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <stdexcept>

namespace Tegula::Perf {
namespace {

/// The fastest ways of a call.
struct Fastest {
  const Prediction *measured = nullptr, *predicted = nullptr;

  void add(const Prediction& p) {
    if (measured == nullptr || p.way->microseconds < measured->way->microseconds) measured = &p;
    if (predicted == nullptr || p.microseconds < predicted->microseconds) predicted = &p;
  }
};

std::array<std::string, 3> names_of(const Way& way) {
  return {way.family, way.family + ':' + Tegula::text(way.tile),
          way.family + ':' + Tegula::text(way.tile.transposed())};
}

double slower(const Prediction& way, const Prediction& than) { return way.way->microseconds / than.way->microseconds; }

/// The geometric mean, how many are beyond 1.03, and the worst.
template <class Value>
std::string row_of(const std::vector<Loss>& losses, const Value& value) {
  double logarithms = 0, worst = 0;
  int beyond = 0;
  for (const Loss& loss : losses) {
    logarithms += std::log(value(loss));
    worst = std::max(worst, value(loss));
    if (value(loss) > 1.03) ++beyond;
  }
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%11.4f %12d %7.2f",
                std::exp(logarithms / static_cast<double>(losses.size())), beyond, worst);
  return text.data();
}

}  // namespace

std::map<std::string, std::vector<Loss>> losses_without(const std::vector<std::string>& names,
                                                        const std::vector<Prediction>& predictions) {
  const std::set<std::string> left_out(names.begin(), names.end());
  std::set<std::string> seen;
  std::map<const CallTimes*, std::array<Fastest, 2>> calls;  // of all ways, and of those that are left
  for (const Prediction& p : predictions) {
    auto& [all, left] = calls[p.times];
    bool is_left      = true;
    for (const std::string& name : names_of(p.way->way)) {
      if (!left_out.contains(name)) continue;
      is_left = false;
      seen.insert(name);
    }
    all.add(p);
    if (is_left) left.add(p);
  }
  for (const std::string& name : left_out)
    if (!seen.contains(name)) throw std::invalid_argument("no way that was measured is of " + name);
  std::map<std::string, std::vector<Loss>> losses;
  for (const auto& [times, fastest] : calls) {
    const auto& [all, left] = fastest;
    if (left.measured == nullptr) continue;
    losses[kind_of(times->call)].push_back(
        {times, slower(*left.measured, *all.measured), slower(*left.predicted, *all.predicted)});
  }
  return losses;
}

std::string describe(const std::map<std::string, std::vector<Loss>>& losses, int worst) {
  std::string table = "type              calls  best: mean  beyond 1.03   worst  planned: mean  beyond 1.03   worst\n";
  std::string lines;
  for (const auto& [type, of_type] : losses) {
    std::array<char, 64> head{};
    std::snprintf(head.data(), head.size(), "%-16s %6zu ", type.c_str(), of_type.size());
    table += head.data() + row_of(of_type, [](const Loss& loss) { return loss.best; }) + "    " +
             row_of(of_type, [](const Loss& loss) { return loss.planned; }) + '\n';
    std::vector<Loss> slowest = of_type;
    const auto more           = [](const Loss& a, const Loss& b) {
      return std::max(a.best, a.planned) > std::max(b.best, b.planned);
    };
    std::stable_sort(slowest.begin(), slowest.end(), more);
    for (std::size_t i = 0; i < slowest.size() && i < static_cast<std::size_t>(worst); ++i) {
      const Loss& loss = slowest[i];
      if (std::max(loss.best, loss.planned) <= 1) break;
      std::snprintf(head.data(), head.size(), "%5.2f %5.2f  ", loss.best, loss.planned);
      lines += head.data() + text(loss.times->call) + '\n';
    }
  }
  return table + (lines.empty() ? "" : "\nbest, planned\n" + lines);
}

}  // namespace Tegula::Perf
