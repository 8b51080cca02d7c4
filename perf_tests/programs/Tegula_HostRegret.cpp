// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_host_regret: on a host, the time of every way to compute calls that are drawn at random, of the way that the
// planner takes, and how near predicted times are.

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

#include "Tegula_HostTimes.hpp"
#include "Tegula_PerfMain.hpp"

namespace Tegula::Perf {
namespace {

constexpr std::array types{"f32", "f64"};

/// How far a group of calls is from the best, and predicted times from measured ones.
struct Summary {
  std::vector<double> regrets, ratios;  // ratio = measured / predicted, of the planner's ways

  static double mean(const std::vector<double>& values) {
    double logarithms = 0;
    for (const double value : values) logarithms += std::log(value);
    return std::exp(logarithms / static_cast<double>(std::max<std::size_t>(1, values.size())));
  }
  template <class Is>
  static double share(const std::vector<double>& values, const Is& is) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), is)) /
           static_cast<double>(std::max<std::size_t>(1, values.size()));
  }

  void print(const std::string& name) const {
    const auto within = [&](double most) { return share(regrets, [=](double r) { return r <= most; }); };
    const double near = share(ratios, [](double r) { return r < 1.5 && r > 1 / 1.5; });
    if (!regrets.empty())
      std::cout << name << ": " << regrets.size() << " calls, regret " << mean(regrets) << ", within 1.05 "
                << within(1.05) << ", within 1.15 " << within(1.15) << ", worst "
                << *std::max_element(regrets.begin(), regrets.end()) << '\n';
    if (!ratios.empty())
      std::cout << name << ": " << ratios.size() << " predictions, time / predicted " << mean(ratios)
                << ", within a factor of 1.5 " << near << ", least " << *std::min_element(ratios.begin(), ratios.end())
                << ", most " << *std::max_element(ratios.begin(), ratios.end()) << '\n';
  }
};

/// The calls of gemm, measured or read, with what the planner takes.
void judge(const std::vector<HostTimes>& all, int worst) {
  std::map<std::string, Summary> summaries;
  std::vector<std::pair<double, std::string>> lines;
  for (const HostTimes& times : all) {
    const auto best  = std::min_element(times.ways.begin(), times.ways.end(),
                                        [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    const Plan plan  = chosen_host_plan(times.call);
    const auto taken = std::find_if(times.ways.begin(), times.ways.end(),
                                    [&](const HostWayTime& way) { return way.way == host_way(plan); });
    if (taken == times.ways.end()) {
      std::cout << text(times.call) << ": " << host_way(plan) << " was not measured\n";
      continue;
    }
    const double regret = taken->seconds / best->seconds;
    Summary& summary    = summaries[times.call.type];
    summary.regrets.push_back(regret);
    summary.ratios.push_back(taken->seconds / plan.seconds());
    std::ostringstream line;
    line << regret << "  " << text(times.call) << ": " << taken->way << ' ' << taken->seconds * 1e6 << " us (predicted "
         << plan.seconds() * 1e6 << "), best " << best->way << ' ' << best->seconds * 1e6;
    lines.emplace_back(regret, line.str());
  }
  std::sort(lines.rbegin(), lines.rend());
  for (std::size_t l = 0; l < std::min(lines.size(), static_cast<std::size_t>(worst)); ++l)
    std::cout << lines[l].second << '\n';
  for (const auto& [type, summary] : summaries) summary.print(type);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures on a host every way to compute calls of gemm that are drawn at random, and prints the regret of the "
      "planner's choices: their time over that of the best way; and measured over predicted times, of gemm_backward, "
      "too");
  int calls = 50, worst = 10;
  std::uint64_t seed = 1;
  std::string file, given;
  bool is_backward = false;
  app.add_option("--calls", calls, "Calls of each type")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seed", seed, "Of the calls that are drawn")->capture_default_str();
  app.add_option("--worst", worst, "Calls to print")->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--file", file, "What is written of gemm, a line a call: each way with its microseconds");
  app.add_option("--times", given, "Such a file, whose times are taken in place of measuring");
  app.add_flag("--backward", is_backward, "gemm_backward: measured over predicted times, no regret");
  CLI11_PARSE(app, argc, argv);
  if (is_backward) {
    for (const char* type : types) {
      Summary summary;
      for (const HostPrediction& p : backward_predictions(type, calls, seed, worst > 0))
        summary.ratios.push_back(p.ratio());
      summary.print(type);
    }
    return 0;
  }
  std::vector<HostTimes> all;
  if (!given.empty()) {
    std::ifstream lines(given);
    if (!lines) throw std::runtime_error("cannot open " + given);
    all = read_host_times(lines);
  } else {
    std::ofstream out(file);
    for (const char* type : types) {
      for (const GemmCall& call : draw_calls(type, Compute::native, calls, seed, Sides::of_hosts)) {
        all.push_back(measured_ways(call));
        out << text(all.back()) << std::endl;
      }
    }
  }
  judge(all, worst);
  return 0;
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) { return Tegula::Perf::run_main("tegula_host_regret", Tegula::Perf::run, argc, argv); }
