// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_TIMER_HPP
#define TEGULA_PERF_TIMER_HPP

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Tegula_PerfDevice.hpp"

namespace Tegula::Perf {

/// Seconds that `calls` calls of work take, which they may only queue: exec is waited for before and after.
template <class ExecutionSpaceType, class Work>
double seconds_of(const ExecutionSpaceType& exec, int calls, const Work& work) {
  exec.fence();
  const auto start = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; ++call) work();
  exec.fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// How a batch of calls is timed.
enum class Clock {
  wall,    ///< the host's clock around the batch, with a fence at both ends: one time, the mean
  events,  ///< an event of the device between each call and the next, after one call that is not timed: a time a call,
           ///< with the gap to the call before if the host was late
  graph    ///< events of the device around the batch as a CUDA graph, launched behind itself: one time, the mean,
           ///< whatever a launch costs the host
};

/// As the command line names it.
std::string clock_name(Clock clock);

/// Runs calls, waits for them, and returns their seconds. As often as wanted, but no longer than its timer lives.
using Batch = std::function<std::vector<double>()>;

class Timer {
 public:
  virtual ~Timer() = default;

  /// Of a call that queues work on the default instance of the execution space. It is called for each batch, or only
  /// here, and what it queued is repeated.
  virtual Batch batch(int calls, const std::function<void()>& call) = 0;
};

/// Throws std::invalid_argument if there is no such clock here.
std::unique_ptr<Timer> make_timer(Clock clock);

/// The median seconds of a few calls, to choose among ways to do the same: of calls in a graph where the launches would
/// hide how long a call takes. A call that takes longer than give_up is called but twice.
double quick_seconds(const std::function<void()>& call, double give_up);

}  // namespace Tegula::Perf

#endif
