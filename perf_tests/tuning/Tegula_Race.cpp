// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Race.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "Tegula_PerfStatistics.hpp"

namespace Tegula::Perf {
namespace {

/// Of several times the quarter that was disturbed least counts: what else runs on a machine makes them longer only.
constexpr double quiet = 0.25;

/// The ways to measure, in the order of their predictions behind the first one.
std::vector<std::size_t> worth_measuring(const std::vector<double>& predicted, double factor) {
  const double most = factor * *std::min_element(predicted.begin(), predicted.end());
  std::vector<std::size_t> ways(predicted.size());
  std::iota(ways.begin(), ways.end(), std::size_t(0));
  std::stable_sort(ways.begin() + 1, ways.end(), [&](auto a, auto b) { return predicted[a] < predicted[b]; });
  std::erase_if(ways, [&](std::size_t way) { return way != 0 && predicted[way] > most; });
  return ways;
}

class Race {
 public:
  Race(std::size_t ways, const RaceLimits& limits, const RaceTrack& track)
      : limits_(limits), track_(track), times_(ways), start_(track.now()) {
    result_.seconds.assign(ways, std::numeric_limits<double>::infinity());
  }

  RaceResult run(const std::vector<std::size_t>& ways) {
    measure_first(ways);
    std::vector<std::size_t> left = ways;
    // It halves as the rounds go: those that are near the best are told apart last, and none is left for a few times
    // that were disturbed.
    double margin = limits_.give_up - 1;
    for (int round = 0; round < limits_.rounds; ++round) {
      leave_slower_ones(left, 1 + margin);
      if (left.size() == 1 || is_over(1)) break;
      for (const std::size_t way : left) {
        if (is_over(1)) break;
        note(way, track_.again(way, best_seconds()));
      }
      if (round % rounds_of_a_margin == rounds_of_a_margin - 1) margin = std::max(least_margin, margin / 2);
    }
    choose();
    return result_;
  }

 private:
  static constexpr double least_margin = 0.06, share_of_the_first = 0.6;
  static constexpr int rounds_of_a_margin = 3;

  bool is_over(double share) const { return track_.now() - start_ > share * limits_.seconds; }

  double best_seconds() const { return *std::min_element(result_.seconds.begin(), result_.seconds.end()); }

  void note(std::size_t way, double seconds) {
    times_[way].push_back(seconds);
    result_.seconds[way] = quantile(times_[way], quiet);
  }

  void measure_first(const std::vector<std::size_t>& ways) {
    constexpr std::size_t in_any_case = 2;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (w >= in_any_case && is_over(share_of_the_first)) return;
      try {
        const double seconds = track_.first(ways[w], best_seconds());
        note(ways[w], seconds);
        ++result_.measured;
      } catch (const std::exception& error) {
        if (ways[w] == 0) throw std::runtime_error(error.what());
        result_.failures.emplace_back(error.what());
      }
    }
  }

  /// The first way stays: the others are compared with it.
  void leave_slower_ones(std::vector<std::size_t>& ways, double factor) const {
    const double most = factor * best_seconds();
    std::erase_if(ways,
                  [&](std::size_t way) { return times_[way].empty() || (way != 0 && result_.seconds[way] > most); });
  }

  void choose() {
    const auto& seconds = result_.seconds;
    const auto best     = std::min_element(seconds.begin(), seconds.end());
    result_.best        = *best < limits_.worth * seconds[0] ? static_cast<std::size_t>(best - seconds.begin()) : 0;
  }

  const RaceLimits& limits_;
  const RaceTrack& track_;
  std::vector<std::vector<double>> times_;
  double start_;
  RaceResult result_;
};

}  // namespace

RaceResult race(const std::vector<double>& predicted, const RaceLimits& limits, const RaceTrack& track) {
  return Race(predicted.size(), limits, track).run(worth_measuring(predicted, limits.factor));
}

}  // namespace Tegula::Perf
