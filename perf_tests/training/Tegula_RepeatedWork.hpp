// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_REPEATED_WORK_HPP
#define TEGULA_REPEATED_WORK_HPP

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "Tegula_TrainOptions.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "Tegula_PerfGraph.hpp"
#endif

namespace Tegula::Training {

/// Work on an execution space that is the same every second time: kernels with the same arguments, without a fence. It
/// is told whether its number is even, 0, or odd, 1, so that two places may take turns. What else changes from time to
/// time lies in the memory of the device.
template <class ExecutionSpace>
class RepeatedWork {
 public:
  /// `queue` queues it once.
  RepeatedWork(const ExecutionSpace&, std::function<void(int)> queue, Replay) : queue_(std::move(queue)) {}

  /// Queues it so many times, the first of which has this number.
  void run(std::int64_t first, std::int64_t times) {
    for (; times > 0; ++first, --times) queue_(static_cast<int>(first % 2));
  }

  /// Kernels, copies and so on in the graph of it; 0 if there is none.
  std::size_t graph_nodes() const { return 0; }

  static constexpr std::int64_t times_a_graph = 1;

 private:
  std::function<void(int)> queue_;
};

#if defined(KOKKOS_ENABLE_CUDA)

/// As CUDA graphs: a launch of one costs the host less than a kernel, however many are in it, and no kernel in it waits
/// for the host. The device needs a moment between graphs, too, so that one graph has the work several times.
template <>
class RepeatedWork<Kokkos::Cuda> {
 public:
  RepeatedWork(const Kokkos::Cuda& exec, std::function<void(int)> queue, Replay replay)
      : stream_(exec.cuda_stream()), queue_(std::move(queue)), replay_(replay) {}

  void run(std::int64_t first, std::int64_t times) {
    const std::int64_t end = first + times;
    // The first time as it is: then kernels are loaded, and a capture finds all that it needs.
    if (replay_ == Replay::none) first += queue(first, times);
    if (first < end && !has_run_) first += queue(first, 1);
    for (; end - first >= times_a_graph; first += times_a_graph) graph(several_, first, times_a_graph).launch();
    for (; first < end; ++first) graph(one_, first, 1).launch();
  }

  std::size_t graph_nodes() const {
    for (const GraphPointer& graph : one_)
      if (graph) return graph->nodes();
    for (const GraphPointer& graph : several_)
      if (graph) return graph->nodes() / static_cast<std::size_t>(times_a_graph);
    return 0;
  }

  static constexpr std::int64_t times_a_graph = 16;

 private:
  using GraphPointer = std::unique_ptr<Perf::Graph>;
  using Graphs       = std::array<GraphPointer, 2>;  // whose first number is even, or odd

  std::int64_t queue(std::int64_t first, std::int64_t times) {
    for (std::int64_t time = 0; time < times; ++time) queue_(static_cast<int>((first + time) % 2));
    has_run_ = true;
    return times;
  }

  const Perf::Graph& graph(Graphs& graphs, std::int64_t first, std::int64_t times) {
    GraphPointer& graph = graphs[static_cast<std::size_t>(first % 2)];
    // Some versions of Kokkos allocate no bytes for teams that ask for none, which only this mode lets them. Kernels
    // keep the priority of the stream that they were queued on.
    constexpr Perf::GraphOptions options{cudaStreamCaptureModeRelaxed, cudaGraphInstantiateFlagUseNodePriority};
    if (!graph)
      graph = std::make_unique<Perf::Graph>(
          stream_, [&] { queue(first, times); }, options);
    return *graph;
  }

  cudaStream_t stream_;
  std::function<void(int)> queue_;
  Replay replay_;
  bool has_run_ = false;
  Graphs one_, several_;
};

#endif

}  // namespace Tegula::Training

#endif
