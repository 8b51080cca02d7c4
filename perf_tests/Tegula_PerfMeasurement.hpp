// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_MEASUREMENT_HPP
#define TEGULA_PERF_MEASUREMENT_HPP

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfMachine.hpp"

namespace Tegula::Perf {

/// A case that has been checked and is ready to be timed.
class Measurement {
 public:
  /// Allocates the operands, runs every side once to see its path, and checks the results. Throws what is wrong.
  Measurement(const CaseSpec& spec, CaseFactory factory);

  /// One repetition: rounds with a batch of each side, then the counters.
  void time(benchmark::State& state, const Machine& machine);

  /// What ran, by the name of the side; for one that does not take the case "absent: " and why.
  const std::map<std::string, std::string>& paths() const { return paths_; }

 private:
  /// A side that takes the case.
  struct Timed {
    const Side* side;
    double error;
    int calls = 1;  ///< of a batch
    std::vector<double> seconds;
  };

  void see_paths();
  void check();
  void choose_calls(Timed& timed) const;
  double batch_seconds(const Timed& timed) const;
  void count(benchmark::State& state, const Machine& machine) const;

  std::string type_;
  std::unique_ptr<Case> measured_;
  std::map<std::string, std::string> paths_;
  std::vector<Timed> timed_;  ///< Tegula first
  std::string label_;
};

}  // namespace Tegula::Perf

#endif
