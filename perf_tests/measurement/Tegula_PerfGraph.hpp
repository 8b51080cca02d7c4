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

/// Graphs of CUDA, and events on the stream of the default instance.

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

/// How a graph is captured, and how it is to run.
struct GraphOptions {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
  unsigned int flags         = 0;  ///< of cudaGraphInstantiateWithFlags
};

/// Work that was queued on a stream, captured in a CUDA graph.
class Graph {
 public:
  /// Throws std::runtime_error if what `queue` queues cannot be captured.
  Graph(cudaStream_t stream, const std::function<void()>& queue, const GraphOptions& options = {}) : stream_(stream) {
    if (stream_ == nullptr)
      throw std::runtime_error("a graph needs a Kokkos that runs on a stream of its own, not CUDA's default one");
    const Captured captured(capture(queue, options.mode), cudaGraphDestroy);
    nodes_ = count_nodes(captured.get());
    // Work that was queued on another stream is not in the graph.
    if (nodes_ == 0) throw std::runtime_error(why_not("it does not use the stream of Kokkos"));
    check_cuda(cudaGraphInstantiateWithFlags(&executable_, captured.get(), options.flags),
               "cudaGraphInstantiateWithFlags");
  }
  Graph(const Graph&)            = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cudaGraphExecDestroy(executable_); }

  void launch() const { check_cuda(cudaGraphLaunch(executable_, stream_), "cudaGraphLaunch"); }

  std::size_t nodes() const { return nodes_; }

 private:
  using Captured = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, cudaError_t (*)(cudaGraph_t)>;

  static std::string why_not(const std::string& reason) { return "it cannot be captured in a CUDA graph: " + reason; }

  // The stream must leave the capture whatever happens in a call.
  cudaGraph_t capture(const std::function<void()>& queue, cudaStreamCaptureMode mode) const {
    check_cuda(cudaStreamBeginCapture(stream_, mode), "cudaStreamBeginCapture");
    cudaGraph_t graph = nullptr;
    try {
      queue();
    } catch (const std::exception& error) {
      cudaStreamEndCapture(stream_, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();  // which the next launch would be taken to have caused
      throw std::runtime_error(why_not(error.what()));
    }
    const cudaError_t status = cudaStreamEndCapture(stream_, &graph);
    cudaGetLastError();
    check_cuda(status, why_not("cudaStreamEndCapture").c_str());
    return graph;
  }

  static std::size_t count_nodes(cudaGraph_t graph) {
    std::size_t nodes = 0;
    check_cuda(cudaGraphGetNodes(graph, nullptr, &nodes), "cudaGraphGetNodes");
    return nodes;
  }

  cudaStream_t stream_;
  std::size_t nodes_          = 0;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace Tegula::Perf

#endif
