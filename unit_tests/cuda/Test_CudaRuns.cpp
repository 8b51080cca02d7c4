// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <future>

#include "Tegula_TestCudaCalls.hpp"

/// The results of a call are the same bit for bit in every run, whatever else runs at the time: other calls on other
/// instances of the execution space, queued by one thread of the host or by several. Needs a GPU of NVIDIA.

namespace Tegula::Test {
namespace {

class CudaRuns : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { needs_family(way_named(GetParam()).family); }

  std::shared_ptr<const CudaLayer> layer(const GemmShape& shape, int split_k, std::int64_t alignment = 8) {
    return make_layer(random_, shape, GetParam(), split_k, alignment);
  }
  // Of unlike shapes, with and without split-k (0: as planned), and one whose operands are copied first.
  CudaLayers unlike_layers() {
    return {layer({1024, 512, 768}, 0), layer({96, 264, 3000}, 5), layer({640, 640, 640}, 2),
            layer({611, 677, 699}, 0, 1)};
  }

  Random random_ = make_random();
};

INSTANTIATE_TEST_SUITE_P(Cuda, CudaRuns, testing::ValuesIn(cuda_way_names),
                         [](const auto& info) { return info.param; });

TEST_P(CudaRuns, GiveTheSameBitsWithSplits) {
  const Kokkos::Cuda exec;
  for (const std::int64_t alignment : {8, 1}) {
    const auto split               = layer({200, 136, 2000}, 4, alignment);
    const auto [forward, backward] = split->plans(exec);
    const CudaWay& way             = way_named(GetParam());
    if (way.splits && way.takes_gemm) ASSERT_EQ(forward.products[0].split_k, 4);
    if (way.splits && way.takes_backward) ASSERT_GT(backward.products[1].split_k, 1);
    const auto first = results_alone(*split, exec);
    for (int run = 0; run < 5; ++run) {
      Kokkos::deep_copy(split->workspace(), static_cast<char>(0x7F - run));  // its old content does not matter
      ASSERT_TRUE(are_same_numbers(results_alone(*split, exec), first)) << "run " << run;
    }
  }
}

TEST_P(CudaRuns, GiveTheSameBitsOnSeveralInstancesAtOnce) {
  const auto layers = unlike_layers();
  EXPECT_TRUE(
      keep_their_bits_at_once(layers, [](const CudaLayer& layer, const Kokkos::Cuda& exec) { layer.queue(exec); }));
}

TEST_P(CudaRuns, GiveTheSameBitsFromSeveralThreadsAtOnce) {
#if KOKKOS_VERSION < 40400
  GTEST_SKIP() << "this Kokkos may not be called by several threads at once";
#endif
  const auto layers = unlike_layers();
  const std::vector<CudaStream> streams(2);
  std::vector<std::vector<double>> alone;
  for (std::size_t l = 0; l < 2; ++l) alone.push_back(results_alone(*layers[l], streams[l].exec()));
  for (const std::size_t l : {0, 1}) layers[l]->forget_results();
  std::vector<std::future<void>> threads;
  for (const std::size_t l : {0, 1})
    threads.push_back(std::async(std::launch::async, [&, l] {
      for (int repeat = 0; repeat < 100; ++repeat) layers[l]->queue(streams[l].exec());
      streams[l].exec().fence();
    }));
  for (auto& thread : threads) thread.get();  // throws what the thread threw
  for (const std::size_t l : {0, 1}) EXPECT_TRUE(are_same_numbers(layers[l]->results(), alone[l])) << "layer " << l;
}

}  // namespace
}  // namespace Tegula::Test
