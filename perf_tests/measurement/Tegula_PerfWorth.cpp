// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfWorth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

namespace Tegula::Perf {
namespace {

using Key = std::tuple<std::string, std::string, int, int, int>;  // type, family, tile

Key key_of(const std::string& type, const std::string& family, const TileShape& tile) {
  return {type, family, tile.m, tile.n, tile.k};
}

/// The best times of a call by each family, and by each tile.
std::map<Key, double> best_times(const CallTimes& times) {
  std::map<Key, double> best;
  for (const WayTime& time : times.ways) {
    for (const TileShape& tile : {TileShape{}, time.way.tile}) {
      const auto at = best.try_emplace(key_of(kind_of(times.call), time.way.family, tile), time.microseconds).first;
      at->second    = std::min(at->second, time.microseconds);
    }
  }
  return best;
}

bool is_family(const Key& key) { return std::get<2>(key) == 0; }

/// The best time of what is of the same kind, families or tiles, and another one.
double best_without(const std::map<Key, double>& best, const Key& left_out) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [key, microseconds] : best)
    if (key != left_out && is_family(key) == is_family(left_out)) least = std::min(least, microseconds);
  return least;
}

}  // namespace

double Worth::geometric_mean() const {
  double logarithms = 0;
  for (const double loss : losses) logarithms += std::log(loss);
  return std::exp(logarithms / static_cast<double>(losses.size()));
}

int Worth::beyond(double loss) const {
  return static_cast<int>(std::count_if(losses.begin(), losses.end(), [&](double l) { return l > loss; }));
}

std::vector<Worth> worths(const std::vector<CallTimes>& times) {
  std::map<Key, std::vector<double>> losses;
  for (const CallTimes& call : times) {
    const auto best      = best_times(call);
    const auto by_time   = [](const WayTime& a, const WayTime& b) { return a.microseconds < b.microseconds; };
    const double fastest = std::min_element(call.ways.begin(), call.ways.end(), by_time)->microseconds;
    for (const auto& [key, microseconds] : best)
      if (const double other = best_without(best, key); std::isfinite(other)) losses[key].push_back(other / fastest);
  }
  std::vector<Worth> all;
  for (auto& [key, of_key] : losses) {
    const auto& [type, family, m, n, k] = key;
    std::sort(of_key.begin(), of_key.end(), std::greater<>());
    all.push_back({type, family, {m, n, k}, of_key});
  }
  return all;
}

std::string describe(const std::vector<Worth>& worths) {
  std::string text = "type             family      tile          calls  geo. mean  beyond 1.03  beyond 1.10   worst\n";
  for (const Worth& worth : worths) {
    std::array<char, 256> line{};
    const std::string tile = worth.tile == TileShape{} ? "all" : Tegula::text(worth.tile);
    std::snprintf(line.data(), line.size(), "%-16s %-11s %-12s %6zu  %9.4f  %11d  %11d  %6.2f\n", worth.type.c_str(),
                  worth.family.c_str(), tile.c_str(), worth.losses.size(), worth.geometric_mean(), worth.beyond(1.03),
                  worth.beyond(1.10), worth.losses.front());
    text += line.data();
  }
  return text;
}

}  // namespace Tegula::Perf
