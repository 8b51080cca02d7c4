// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STEP_CLOCK_HPP
#define TEGULA_STEP_CLOCK_HPP

#include <chrono>
#include <string>
#include <vector>

#include "Tegula_KokkosCompat.hpp"
#include "Tegula_StepObserver.hpp"

namespace Tegula::Impl {

/// What lay between begin() and end() of a clock, and how long it took.
struct TimedStep {
  std::string label;
  double seconds;
};

/// Times steps by the clock of the host, between fences of the instance: for any execution space.
template <class ExecutionSpace>
class StepClock final : public StepObserver {
 public:
  explicit StepClock(const ExecutionSpace& exec) : exec_(exec) {}

  void begin(const std::string& label) override {
    steps_.push_back({label, 0});
    exec_.fence();
    begun_ = Clock::now();
  }
  void end() override {
    exec_.fence();
    steps_.back().seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  }

  /// The steps of which run() tells this clock.
  template <class Run>
  std::vector<TimedStep> time(const Run& run) {
    steps_.clear();
    run();
    return steps_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  ExecutionSpace exec_;
  std::vector<TimedStep> steps_;
  Clock::time_point begun_;
};

/// Whether what is queued on an instance goes to a graph, and is not run.
template <class ExecutionSpace>
bool is_captured(const ExecutionSpace&) {
  return false;
}

}  // namespace Tegula::Impl

#endif
