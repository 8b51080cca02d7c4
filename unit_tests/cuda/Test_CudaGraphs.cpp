// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Kokkos_Graph.hpp>
#include <tuple>

#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestCudaGraph.hpp"

/// Calls can be captured in a graph, which then computes, as often as it is launched and on what its Views hold by
/// then, what the calls would: bit by bit. Calls without a workspace make memory a part of the graph, which then cannot
/// be the child of another, as it is in a graph of Kokkos'. Needs a GPU of NVIDIA.

namespace Tegula::Test {
namespace {

/// Layers that take every way through a family: as planned, with split-k, and from operands of any alignment, which
/// kernels of their own prepare.
CudaLayers layers_for(Random& random, const char* way) {
  return {make_layer(random, {300, 200, 400}, way, 0, 8), make_layer(random, {129, 72, 700}, way, 3, 8),
          make_layer(random, {131, 77, 333}, way, 3, 1), make_layer(random, {700, 650, 670}, way, 0, 1)};
}

// What comes with the first use of the library, and of Kokkos, is tested in Test_CudaFirstUse.cpp.
void warm_up(const CudaLayer& layer, const Kokkos::Cuda& exec) {
  layer.queue(exec);
  exec.fence();
  layer.forget_results();
}

// Whether a graph and a direct call give the same, again and again.
template <class Launch>
void expect_replays_to_be_calls(Random& random, const Kokkos::Cuda& exec, const CudaLayer& layer,
                                const Launch& launch) {
  EXPECT_TRUE(are_poison(layer.results())) << "to capture is not to run";
  for (int replay = 0; replay < 4; ++replay) {
    layer.redraw(random);
    launch();
    exec.fence();
    const auto replayed = layer.results();
    layer.forget_results();
    layer.queue(exec);
    exec.fence();
    ASSERT_TRUE(are_same_numbers(replayed, layer.results())) << "replay " << replay;
  }
}

using WayAndMode = std::tuple<const char*, CaptureMode>;

class CudaGraphs : public testing::TestWithParam<WayAndMode> {
 protected:
  void SetUp() override { needs_family(way_named(way()).family); }
  const char* way() const { return std::get<0>(GetParam()); }
  cudaStreamCaptureMode mode() const { return std::get<1>(GetParam()).mode; }

  Random random_ = make_random();
  CudaStream stream_;
};

INSTANTIATE_TEST_SUITE_P(Cuda, CudaGraphs,
                         testing::Combine(testing::ValuesIn(cuda_way_names), testing::ValuesIn(capture_modes)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + '_' + std::get<1>(info.param).name;
                         });

TEST_P(CudaGraphs, ReplaysGiveWhatCallsGive) {
  for (const auto& layer : layers_for(random_, way())) {
    warm_up(*layer, stream_.exec());
    const CudaGraph graph(stream_.exec(), mode(), [&] { layer->queue(stream_.exec()); });
    expect_replays_to_be_calls(random_, stream_.exec(), *layer, [&] { graph.launch(); });
  }
}

TEST_P(CudaGraphs, ReplaysWithoutAWorkspaceGiveWhatCallsGive) {
  if (!has_memory_pools()) GTEST_SKIP() << "a device without pools of memory";
  for (const auto& layer : layers_for(random_, way())) {
    warm_up(*layer, stream_.exec());
    const CudaGraph graph(stream_.exec(), mode(), [&] { layer->run_without_workspace(stream_.exec()); });
    expect_replays_to_be_calls(random_, stream_.exec(), *layer, [&] { graph.launch(); });
  }
}

TEST_P(CudaGraphs, HoldSeveralCalls) {
  const auto layers = layers_for(random_, way());
  for (const auto& layer : layers) warm_up(*layer, stream_.exec());
  const CudaGraph graph(stream_.exec(), mode(), [&] {
    for (const auto& layer : layers) layer->queue(stream_.exec());
  });
  graph.launch();
  stream_.exec().fence();
  for (const auto& layer : layers) {
    const auto replayed = layer->results();
    layer->forget_results();
    layer->queue(stream_.exec());
    stream_.exec().fence();
    EXPECT_TRUE(are_same_numbers(replayed, layer->results()));
  }
}

TEST(CudaChildGraphs, HoldCallsWithAWorkspaceOnly) {
  if (!has_memory_pools()) GTEST_SKIP() << "a device without pools of memory";
  Random random = make_random();
  const CudaStream stream;
  const auto& exec = stream.exec();
  const auto layer = make_layer(random, {300, 200, 400}, "portable_f32", 3, 8);
  warm_up(*layer, exec);
  const CudaGraph with(exec, cudaStreamCaptureModeGlobal, [&] { layer->queue(exec); });
  const CudaGraph whole(exec, with);
  expect_replays_to_be_calls(random, exec, *layer, [&] { whole.launch(); });
  const CudaGraph without(exec, cudaStreamCaptureModeGlobal, [&] { layer->run_without_workspace(exec); });
  EXPECT_THROW(CudaGraph(exec, without), std::runtime_error);
}

/// Adds a node to a graph of Kokkos', if it has nodes that capture what a function queues.
template <class Root, class Work>
bool add_capture_node(const Root& root, const Kokkos::Cuda& exec, const Work& work) {
  if constexpr (requires { root.cuda_capture(exec, work); }) {
    static_cast<void>(root.cuda_capture(exec, work));
    return true;
  }
  return false;
}

class KokkosGraphs : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { needs_family(way_named(GetParam()).family); }
};

INSTANTIATE_TEST_SUITE_P(Cuda, KokkosGraphs, testing::ValuesIn(cuda_way_names),
                         [](const auto& info) { return info.param; });

TEST_P(KokkosGraphs, ReplaysGiveWhatCallsGive) {
  const Kokkos::Cuda exec;
  Random random = make_random();
  for (const auto& layer : layers_for(random, GetParam())) {
    warm_up(*layer, exec);
    bool can_capture = false;
    auto graph       = Kokkos::Experimental::create_graph(exec, [&](const auto& root) {
      can_capture = add_capture_node(root, exec, [&layer](const Kokkos::Cuda& instance) { layer->queue(instance); });
    });
    if (!can_capture) GTEST_SKIP() << "the graphs of this Kokkos do not capture";
    expect_replays_to_be_calls(random, exec, *layer, [&] { graph.submit(exec); });
  }
}

}  // namespace
}  // namespace Tegula::Test
