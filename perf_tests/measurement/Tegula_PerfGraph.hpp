// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_GRAPH_HPP
#define TEGULA_PERF_GRAPH_HPP

#include <Kokkos_Core.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "Tegula_PerfCuda.hpp"

/// Events and graphs of CUDA, on the stream of the default instance.

namespace Tegula::Perf {

/// Events by their numbers.
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

  /// In a stream that is captured: whenever the graph runs, the event is recorded at this place.
  void record_in_graph(std::size_t number) {
    check_cuda(cudaEventRecordWithFlags(event(number), Kokkos::Cuda().cuda_stream(), cudaEventRecordExternal),
               "cudaEventRecordWithFlags");
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

}  // namespace Tegula::Perf

#endif
