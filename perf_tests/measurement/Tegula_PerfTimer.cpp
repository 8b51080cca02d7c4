// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfTimer.hpp"

#include <algorithm>
#include <stdexcept>

#include "Tegula_PerfStatistics.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Tegula_PerfGraph.hpp"
#endif

namespace Tegula::Perf {
namespace {

class WallTimer : public Timer {
 public:
  Batch batch(int calls, const std::function<void()>& call) override {
    return [=] { return std::vector{seconds_of(ExecutionSpace(), calls, call) / calls}; };
  }
};

#ifdef KOKKOS_ENABLE_CUDA

class EventTimer : public Timer {
 public:
  Batch batch(int calls, const std::function<void()>& call) override {
    return [=, this] { return seconds(calls, call); };
  }

 private:
  // The call that is not timed gives the host a lead, and all that are timed the same call before them.
  std::vector<double> seconds(int calls, const std::function<void()>& call) {
    call();
    for (int number = 0; number <= calls; ++number) {
      events_.record(number);
      if (number < calls) call();
    }
    events_.wait(calls);
    std::vector<double> times;
    for (int number = 0; number < calls; ++number) times.push_back(events_.seconds_between(number, number + 1));
    return times;
  }

  Events events_;
};

class GraphTimer : public Timer {
 public:
  Batch batch(int calls, const std::function<void()>& call) override {
    const auto queue = [&] {
      for (int number = 0; number < calls; ++number) call();
    };
    const auto graph = std::make_shared<Graph>(Kokkos::Cuda().cuda_stream(), queue);
    return [this, calls, graph] { return seconds(*graph, calls); };
  }

 private:
  // The launch that is not timed gives the host a lead, and the one that is timed the same calls before it.
  std::vector<double> seconds(const Graph& graph, int calls) {
    graph.launch();
    events_.record(0);
    graph.launch();
    events_.record(1);
    events_.wait(1);
    return {events_.seconds_between(0, 1) / calls};
  }

  Events events_;
};

std::unique_ptr<Timer> make_device_timer(Clock clock) {
  if (clock == Clock::graph) return std::make_unique<GraphTimer>();
  return std::make_unique<EventTimer>();
}

#else

std::unique_ptr<Timer> make_device_timer(Clock clock) {
  throw std::invalid_argument("--timer " + clock_name(clock) + " needs a build whose execution space is Cuda");
}

#endif

}  // namespace

std::string clock_name(Clock clock) {
  return clock == Clock::wall ? "wall" : clock == Clock::events ? "events" : "graph";
}

std::unique_ptr<Timer> make_timer(Clock clock) {
  if (clock == Clock::wall) return std::make_unique<WallTimer>();
  return make_device_timer(clock);
}

double quick_seconds(const std::function<void()>& call, double give_up) {
  constexpr double in_all = 2e-3, long_beside_a_launch = 1e-4;
  constexpr int fewest = 3, most = 20, graphs = 5;
  const std::unique_ptr<Timer> timer = make_timer(has_events ? Clock::events : Clock::wall);
  const double first                 = timer->batch(1, call)().front();  // after a call that was not timed
  if (first > give_up) return first;
  const int calls = std::clamp(static_cast<int>(in_all / std::max(first, 1e-9)), fewest, most);
  if (has_events && first < long_beside_a_launch) {
    try {
      const std::unique_ptr<Timer> graph_timer = make_timer(Clock::graph);
      const Batch batch                        = graph_timer->batch(calls, call);
      std::vector<double> times;
      for (int graph = 0; graph < graphs; ++graph) times.push_back(batch().front());
      return quantile(times, 0.5);
    } catch (const std::exception&) {  // it cannot be captured
    }
  }
  return quantile(timer->batch(calls, call)(), 0.5);
}

}  // namespace Tegula::Perf
