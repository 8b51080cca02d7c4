// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <tuple>

#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestCudaGraph.hpp"

/// A process may begin to use the library while a stream is captured, although the library then finds out what Kokkos
/// and nvcc do together and makes a pool of memory, and Kokkos prepares every source file's kernels. CTest runs each
/// case in a process of its own; nothing here may use the library before. Needs a GPU of NVIDIA.
///
/// The captured stream does not synchronise with CUDA's default stream. The stream of Kokkos' default instance does,
/// and Kokkos itself copies on the default stream when it first launches a kernel, which ends such a capture.

namespace Tegula::Test {
namespace {

/// A CudaWay, by name, and the mode of the capture.
using FirstUse = std::tuple<const char*, CaptureMode>;

struct FirstUseName {
  std::string operator()(const testing::TestParamInfo<FirstUse>& info) const {
    const auto [way, mode] = info.param;
    return std::string(way) + '_' + mode.name;
  }
};

class CudaFirstUse : public testing::TestWithParam<FirstUse> {
 protected:
  void SetUp() override { needs_family(way_named(std::get<0>(GetParam())).family); }
};

INSTANTIATE_TEST_SUITE_P(Cuda, CudaFirstUse,
                         testing::Combine(testing::ValuesIn(cuda_way_names), testing::ValuesIn(capture_modes)),
                         FirstUseName());

TEST_P(CudaFirstUse, MayBeCaptured) {
  const auto [way, mode] = GetParam();
  Random random          = make_random();
  const CudaStream own;
  const Kokkos::Cuda& exec = own.exec();
  const auto layer         = make_layer(random, {300, 200, 400}, way, 2, 8);
  const bool has_pools     = has_memory_pools();
  const CudaGraph graph(exec, mode.mode, [&] {
    if (has_pools) layer->run_without_workspace(exec);  // makes the pool
    layer->queue(exec);
  });
  EXPECT_TRUE(are_poison(layer->results())) << "to capture is not to run";
  graph.launch();
  exec.fence();
  const auto replayed = layer->results();
  layer->forget_results();
  layer->queue(exec);
  exec.fence();
  EXPECT_TRUE(are_same_numbers(replayed, layer->results()));
}

}  // namespace
}  // namespace Tegula::Test
