// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfPredictions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfRegret.hpp"

namespace Tegula::Perf {
namespace {

/// Sums of logarithms.
struct Ratios {
  int count  = 0;
  double sum = 0, squares = 0;

  void add(double ratio) {
    const double logarithm = std::log(ratio);
    ++count;
    sum += logarithm;
    squares += logarithm * logarithm;
  }
  double mean() const { return std::exp(sum / count); }
  double spread() const { return std::exp(std::sqrt(std::max(0.0, squares / count - sum * sum / count / count))); }
};

}  // namespace

std::vector<Prediction> predictions(const std::vector<CallTimes>& times, const Predictor& predictor) {
  constexpr double microseconds = 1e6;
  std::vector<Prediction> all;
  for (const CallTimes& call : times) {
    const Impl::Call plain = planned_call(call.call);
    for (const WayTime& way : call.ways) {
      if (way.is_rough) continue;
      if (const auto seconds = predictor(plain, way.way)) all.push_back({&call, &way, microseconds * *seconds});
    }
  }
  return all;
}

std::string describe(const std::vector<Prediction>& predictions, double near) {
  std::map<std::array<std::string, 3>, Ratios> rows;  // by type, family and tile
  for (const Prediction& p : predictions) {
    if (p.way->microseconds > near * best_way(*p.times).microseconds) continue;
    rows[{types_of(p.times->call), p.way->way.family, Tegula::text(p.way->way.tile)}].add(p.ratio());
  }
  std::array<char, 128> line{};
  std::snprintf(line.data(), line.size(), "%-8s %-11s %-12s %6s %18s %7s\n", "type", "family", "tile", "ways",
                "predicted/measured", "spread");
  std::string text = line.data();
  for (const auto& [key, ratios] : rows) {
    std::snprintf(line.data(), line.size(), "%-8s %-11s %-12s %6d %18.3f %7.3f\n", key[0].c_str(), key[1].c_str(),
                  key[2].c_str(), ratios.count, ratios.mean(), ratios.spread());
    text += line.data();
  }
  return text;
}

std::string describe_gone(const std::vector<CallTimes>& times, const std::vector<Prediction>& predictions) {
  std::set<const WayTime*> predicted;
  for (const Prediction& p : predictions) predicted.insert(p.way);
  std::map<std::string, int> gone;
  for (const CallTimes& call : times)
    for (const WayTime& way : call.ways)
      if (!way.is_rough && !predicted.contains(&way)) ++gone[way.way.family + ' ' + Tegula::text(way.way.tile)];
  std::string line;
  for (const auto& [tile, ways] : gone)
    line += (line.empty() ? "measured, but no longer there: " : ", ") + tile + " (" + std::to_string(ways) + ')';
  return line.empty() ? line : line + '\n';
}

std::string csv(const std::vector<Prediction>& predictions) {
  std::ostringstream lines;
  lines << "type,compute,ops,m,n,k,set,family,tile,split_k,microseconds,predicted\n";
  const auto letter = [](Op op) { return op == Op::none ? 'N' : 'T'; };
  for (const Prediction& p : predictions) {
    const GemmCall& call = p.times->call;
    const Way& way       = p.way->way;
    lines << types_of(call) << ',' << name_of(call.compute) << ',' << letter(call.op_a) << letter(call.op_b) << ','
          << call.shape.m << ',' << call.shape.n << ',' << call.shape.k << ',' << (p.times->is_held ? "held" : "fit")
          << ',' << way.family << ',' << Tegula::text(way.tile) << ',' << cut_text(way) << ',' << p.way->microseconds
          << ',' << p.microseconds << '\n';
  }
  return lines.str();
}

}  // namespace Tegula::Perf
