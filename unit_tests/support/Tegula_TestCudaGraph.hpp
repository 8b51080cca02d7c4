// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_GRAPH_HPP
#define TEGULA_TEST_CUDA_GRAPH_HPP

#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <string>

namespace Tegula::Test {

/// What capture modes forbid while a stream is captured: things of the kind of cudaMalloc, to this thread or to all.
struct CaptureMode {
  const char* name;
  cudaStreamCaptureMode mode;
};
inline constexpr CaptureMode capture_modes[] = {{"thread_local", cudaStreamCaptureModeThreadLocal},
                                                {"global", cudaStreamCaptureModeGlobal}};

/// A graph of what `work` queues on a stream.
class CudaGraph {
 public:
  template <class Work>
  CudaGraph(const Kokkos::Cuda& exec, cudaStreamCaptureMode mode, const Work& work) : stream_(exec.cuda_stream()) {
    check(cudaStreamBeginCapture(stream_, mode));
    try {
      work();
    } catch (...) {
      end_capture();
      cudaGetLastError();
      throw;
    }
    check(end_capture());
    instantiate();
  }
  /// A graph whose one node is another graph.
  CudaGraph(const Kokkos::Cuda& exec, const CudaGraph& child) : stream_(exec.cuda_stream()) {
    check(cudaGraphCreate(&graph_, 0));
    cudaGraphNode_t node{};
    check(cudaGraphAddChildGraphNode(&node, graph_, nullptr, 0, child.graph_));
    instantiate();
  }
  ~CudaGraph() { destroy(); }
  CudaGraph(const CudaGraph&)            = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  void launch() const { check_launch(cudaGraphLaunch(executable_, stream_)); }

 private:
  static void check_launch(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(std::string("CUDA graph: ") + cudaGetErrorString(error));
  }
  // For constructors. A refusal leaves nothing behind.
  void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    destroy();
    cudaGetLastError();
    check_launch(error);
  }
  void instantiate() { check(cudaGraphInstantiateWithFlags(&executable_, graph_, 0)); }
  void destroy() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  cudaError_t end_capture() { return cudaStreamEndCapture(stream_, &graph_); }

  cudaStream_t stream_;
  cudaGraph_t graph_          = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace Tegula::Test

#endif
