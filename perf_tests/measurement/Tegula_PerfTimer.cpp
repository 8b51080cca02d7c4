// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfTimer.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "Tegula_PerfStatistics.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Tegula_PerfCuda.hpp"
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

/// Events by their numbers, on the stream of the default instance.
class Events {
 public:
  Events()                         = default;
  Events(const Events&)            = delete;
  Events& operator=(const Events&) = delete;
  ~Events() {
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  }

  void record(std::size_t number) {
    check_cuda(cudaEventRecord(event(number), Kokkos::Cuda().cuda_stream()), "cudaEventRecord");
  }

  void wait(std::size_t number) { check_cuda(cudaEventSynchronize(event(number)), "cudaEventSynchronize"); }

  double seconds_between(std::size_t first, std::size_t second) {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, event(first), event(second)), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  cudaEvent_t event(std::size_t number) {
    while (events_.size() <= number) {
      cudaEvent_t fresh = nullptr;
      check_cuda(cudaEventCreate(&fresh), "cudaEventCreate");
      events_.push_back(fresh);
    }
    return events_[number];
  }

  std::vector<cudaEvent_t> events_;
};

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

/// Calls captured in a CUDA graph.
class Graph {
 public:
  Graph(int calls, const std::function<void()>& call) : stream_(Kokkos::Cuda().cuda_stream()) {
    if (stream_ == nullptr)
      throw std::runtime_error("--timer graph needs a Kokkos that runs on a stream of its own, not CUDA's default one");
    const Captured captured(capture(calls, call), cudaGraphDestroy);
    check_cuda(cudaGraphInstantiateWithFlags(&executable_, captured.get(), 0), "cudaGraphInstantiateWithFlags");
  }
  Graph(const Graph&)            = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cudaGraphExecDestroy(executable_); }

  void launch() const { check_cuda(cudaGraphLaunch(executable_, stream_), "cudaGraphLaunch"); }

 private:
  using Captured = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, cudaError_t (*)(cudaGraph_t)>;

  // The stream must leave the capture whatever happens in a call.
  cudaGraph_t capture(int calls, const std::function<void()>& call) const {
    check_cuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    cudaGraph_t graph = nullptr;
    try {
      for (int number = 0; number < calls; ++number) call();
    } catch (const std::exception& error) {
      cudaStreamEndCapture(stream_, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();  // which the next launch would be taken to have caused
      throw std::runtime_error(std::string("its call cannot be captured for --timer graph: ") + error.what());
    }
    const cudaError_t status = cudaStreamEndCapture(stream_, &graph);
    cudaGetLastError();
    check_cuda(status, "its call cannot be captured for --timer graph: cudaStreamEndCapture");
    check_not_empty(graph);
    return graph;
  }

  // Work that was queued on another stream is not in the graph.
  static void check_not_empty(cudaGraph_t graph) {
    std::size_t nodes = 0;
    check_cuda(cudaGraphGetNodes(graph, nullptr, &nodes), "cudaGraphGetNodes");
    if (nodes > 0) return;
    cudaGraphDestroy(graph);
    throw std::runtime_error("its call cannot be captured for --timer graph: it does not use the stream of Kokkos");
  }

  cudaStream_t stream_;
  cudaGraphExec_t executable_ = nullptr;
};

class GraphTimer : public Timer {
 public:
  Batch batch(int calls, const std::function<void()>& call) override {
    return [this, calls, graph = std::make_shared<Graph>(calls, call)] { return seconds(*graph, calls); };
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
