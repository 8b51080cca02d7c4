// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <future>
#include <memory>

#include "Tegula_TestCudaCalls.hpp"

/// A call runs on the device of its instance, and memory that it takes for a workspace lies there, whichever device is
/// Kokkos' default and whichever was called last. Needs two GPUs of NVIDIA of one kind.

namespace Tegula::Test {
namespace {

/// Where the workspaces that calls take memory for during its life lie, through a callback of Kokkos Tools.
class WorkspaceRecorder {
 public:
  WorkspaceRecorder() {
    devices().clear();
    Kokkos::Tools::Experimental::set_allocate_data_callback(&allocated);
  }
  ~WorkspaceRecorder() { Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr); }
  WorkspaceRecorder(const WorkspaceRecorder&)            = delete;
  WorkspaceRecorder& operator=(const WorkspaceRecorder&) = delete;

  static std::vector<int>& devices() {
    static std::vector<int> recorded;
    return recorded;
  }

 private:
  static void allocated(Kokkos::Tools::SpaceHandle, const char* label, const void* pointer, std::uint64_t bytes) {
    if (bytes == 0 || std::string(label) != "Tegula::workspace") return;
    cudaPointerAttributes attributes{};
    devices().push_back(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess ? attributes.device : -1);
  }
};

/// A stream on each device, and the same layer in the memory of each.
class CudaDevices : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const std::string reason = why_not_two_devices(); !reason.empty()) GTEST_SKIP() << reason;
    needs_family(way_named(GetParam()).family);
    if (IsSkipped()) return;
    for (int device = 0; device < 2; ++device) streams_.push_back(std::make_unique<CudaStream>(device));
  }

  // The layers of both devices are alike to the last bit.
  CudaLayers layers(const GemmShape& shape, int split_k, std::int64_t alignment) {
    CudaLayers result;
    const Random before = random_;
    for (const auto& stream : streams_) {
      random_ = before;
      result.push_back(make_layer(random_, shape, GetParam(), split_k, alignment, stream->exec()));
    }
    return result;
  }
  const Kokkos::Cuda& exec(std::size_t device) const { return streams_[device]->exec(); }

 private:
  static std::string why_not_two_devices() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 2) return "one GPU";
    cudaDeviceProp first{}, second{};
    cudaGetDeviceProperties(&first, 0);
    cudaGetDeviceProperties(&second, 1);
    if (first.major != second.major || first.minor != second.minor ||
        first.multiProcessorCount != second.multiProcessorCount)
      return "the first two GPUs are of two kinds, and plans differ";
    return "";
  }

  Random random_ = make_random();
  std::vector<std::unique_ptr<CudaStream>> streams_;
};

INSTANTIATE_TEST_SUITE_P(Cuda, CudaDevices, testing::ValuesIn(cuda_way_names),
                         [](const auto& info) { return info.param; });

TEST_P(CudaDevices, ComputeTheSame) {
  for (const int split_k : {0, 3}) {
    for (const std::int64_t alignment : {8, 1}) {
      const CudaLayers layers = this->layers({611, 677, 699}, split_k, alignment);
      const auto expected     = results_alone(*layers[0], exec(0));
      for (const std::size_t device : {1, 0, 1})
        EXPECT_TRUE(are_same_numbers(results_alone(*layers[device], exec(device)), expected)) << "device " << device;
    }
  }
}

TEST_P(CudaDevices, HoldTheWorkspacesOfTheirCalls) {
  const CudaLayers layers = this->layers({611, 677, 699}, 3, 1);
  const auto expected     = results_alone(*layers[0], exec(0));
  for (const std::size_t device : {1, 0, 1}) {
    const auto plans = layers[device]->plans(exec(device));
    layers[device]->forget_results();
    std::vector<int> held;
    {
      const WorkspaceRecorder recorder;
      layers[device]->run_without_workspace(exec(device));
      held = WorkspaceRecorder::devices();
    }
    exec(device).fence();
    std::size_t needed = 0;
    for (const Plan& plan : plans) needed += plan.workspace_bytes() > 0 ? 1 : 0;
    EXPECT_EQ(held, std::vector<int>(needed, static_cast<int>(device)));
    EXPECT_TRUE(are_same_numbers(layers[device]->results(), expected)) << "device " << device;
  }
}

TEST_P(CudaDevices, ComputeTheSameFromAThreadEach) {
#if KOKKOS_VERSION < 40400
  GTEST_SKIP() << "this Kokkos may not be called by several threads at once";
#endif
  const CudaLayers layers = this->layers({300, 200, 400}, 2, 8);
  const auto expected     = results_alone(*layers[0], exec(0));
  for (const auto& layer : layers) layer->forget_results();
  std::vector<std::future<void>> threads;
  for (const std::size_t device : {0, 1})
    threads.push_back(std::async(std::launch::async, [&, device] {
      for (int repeat = 0; repeat < 50; ++repeat) {
        layers[device]->queue(exec(device));
        layers[device]->run_without_workspace(exec(device));
      }
      exec(device).fence();
    }));
  for (auto& thread : threads) thread.get();  // throws what the thread threw
  for (const std::size_t device : {0, 1})
    EXPECT_TRUE(are_same_numbers(layers[device]->results(), expected)) << "device " << device;
}

}  // namespace
}  // namespace Tegula::Test
