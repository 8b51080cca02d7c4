// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_MEASUREMENT_HPP
#define TEGULA_PERF_MEASUREMENT_HPP

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfMachine.hpp"

namespace Tegula::Perf {

/// A case that has been checked and is ready to be timed.
class Measurement {
 public:
  /// Allocates the operands, runs both sides once to see their paths, and checks their results. Throws what is wrong.
  Measurement(const CaseSpec& spec, CaseFactory factory);

  /// One repetition: batches of Tegula and of the peer in turn, then the counters.
  void time(benchmark::State& state, const Machine& machine);

  const std::string& tegula_path() const { return tegula_.path; }
  const std::string& peer_path() const { return peer_.path; }  ///< empty without a peer

 private:
  struct Side {
    void (Case::*run)();
    std::string path;
    int calls = 1;  ///< of a batch
    std::vector<double> seconds;
  };

  void choose_calls(Side& side) const;
  double seconds_per_call(const Side& side) const;
  void count(benchmark::State& state, const Machine& machine) const;

  std::string type_;
  std::unique_ptr<Case> measured_;
  bool with_peer_;
  Side tegula_{&Case::run_tegula, {}, 1, {}};
  Side peer_{&Case::run_peer, {}, 1, {}};
  Errors errors_;
};

}  // namespace Tegula::Perf

#endif
