// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <string>
#include <vector>

#include "Tegula_OwnMemory.hpp"
#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestTools.hpp"

/// Calls without a workspace take memory in the order of their stream, from a pool that keeps it: they give the same
/// results, wait for nothing, and leave everything as it was if there is not enough memory. Needs a GPU of NVIDIA.

namespace Tegula::Test {
namespace {

using Texts = std::vector<std::string>;

Texts labels(std::size_t count) { return Texts(count, "Tegula::workspace"); }

/// What CUDA says of the library's pool.
std::uint64_t pool_bytes(const Kokkos::Cuda& exec, cudaMemPoolAttr what) {
  std::uint64_t bytes = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(Impl::CudaMemory::pool(exec), what, &bytes), cudaSuccess);
  return bytes;
}

class CudaMemory : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!has_memory_pools()) GTEST_SKIP() << "a device without pools of memory";
    needs_family(way_named(GetParam()).family);
  }

  std::shared_ptr<const CudaLayer> layer(const GemmShape& shape, int split_k, std::int64_t alignment = 8) {
    return make_layer(random_, shape, GetParam(), split_k, alignment);
  }

  Random random_ = make_random();
};

INSTANTIATE_TEST_SUITE_P(Cuda, CudaMemory, testing::ValuesIn(cuda_way_names),
                         [](const auto& info) { return info.param; });

TEST_P(CudaMemory, ChangesNoResultAndWaitsForNothing) {
  constexpr int repeats = 3;
  const CudaStream stream;
  for (const int split_k : {0, 3}) {
    for (const std::int64_t alignment : {8, 1}) {
      const auto layer    = this->layer({611, 677, 699}, split_k, alignment);
      const auto expected = results_alone(*layer, stream.exec());
      std::size_t needed  = 0;
      for (const Plan& plan : layer->plans(stream.exec())) needed += plan.workspace_bytes() > 0 ? 1 : 0;
      layer->run_without_workspace(stream.exec());
      stream.exec().fence();
      layer->forget_results();
      const auto events = record([&] {
        for (int repeat = 0; repeat < repeats; ++repeat) layer->run_without_workspace(stream.exec());
      });
      stream.exec().fence();
      EXPECT_EQ(events.allocations, labels(repeats * needed));
      EXPECT_EQ(events.deallocations, labels(repeats * needed));
      EXPECT_EQ(events.fences, Texts());
      EXPECT_TRUE(are_same_numbers(layer->results(), expected)) << "split_k " << split_k;
    }
  }
}

TEST_P(CudaMemory, OfTheNextCallIsThatOfTheLast) {
  const CudaStream stream;
  const auto layer = this->layer({611, 677, 699}, 3, 1);
  layer->run_without_workspace(stream.exec());
  stream.exec().fence();
  const auto reserved = pool_bytes(stream.exec(), cudaMemPoolAttrReservedMemCurrent);
  for (const Plan& plan : layer->plans(stream.exec())) EXPECT_GE(reserved, plan.workspace_bytes());
  for (int repeat = 0; repeat < 20; ++repeat) layer->run_without_workspace(stream.exec());
  stream.exec().fence();
  EXPECT_EQ(pool_bytes(stream.exec(), cudaMemPoolAttrReservedMemCurrent), reserved);
  EXPECT_EQ(pool_bytes(stream.exec(), cudaMemPoolAttrUsedMemCurrent), 0u);
}

TEST_P(CudaMemory, OfSeveralInstancesAtOnceIsApart) {
  const CudaLayers layers{layer({1024, 512, 768}, 0), layer({96, 264, 3000}, 5), layer({640, 640, 640}, 2),
                          layer({611, 677, 699}, 0, 1)};
  EXPECT_TRUE(keep_their_bits_at_once(
      layers, [](const CudaLayer& layer, const Kokkos::Cuda& exec) { layer.run_without_workspace(exec); }));
}

TEST_P(CudaMemory, OfSeveralThreadsAtOnceIsApart) {
#if KOKKOS_VERSION < 40400
  GTEST_SKIP() << "this Kokkos may not be called by several threads at once";
#endif
  const CudaLayers layers{layer({300, 200, 400}, 2), layer({96, 264, 3000}, 5)};
  const std::vector<CudaStream> streams(layers.size());
  std::vector<std::vector<double>> alone;
  for (std::size_t l = 0; l < layers.size(); ++l) alone.push_back(results_alone(*layers[l], streams[l].exec()));
  for (const auto& layer : layers) layer->forget_results();
  std::vector<std::future<void>> threads;
  for (std::size_t l = 0; l < layers.size(); ++l)
    threads.push_back(std::async(std::launch::async, [&, l] {
      for (int repeat = 0; repeat < 100; ++repeat) layers[l]->run_without_workspace(streams[l].exec());
      streams[l].exec().fence();
    }));
  for (auto& thread : threads) thread.get();  // throws what the thread threw
  for (std::size_t l = 0; l < layers.size(); ++l)
    EXPECT_TRUE(are_same_numbers(layers[l]->results(), alone[l])) << "layer " << l;
}

/// What needs no family.
class CudaMemoryErrors : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_memory_pools()) GTEST_SKIP() << "a device without pools of memory";
  }
  Kokkos::Cuda exec_;
};

TEST_F(CudaMemoryErrors, NoMemoryLeavesEverythingAsItWas) {
  using Matrix         = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  constexpr int extent = 8192;
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  const int splits = static_cast<int>(total / (sizeof(float) * extent * extent)) + 1, k = 64 * splits;
  const auto unset = [](const char* label) {
    return Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing);
  };
  const Matrix A(unset("A"), extent, k), B(unset("B"), k, extent), C(unset("C"), extent, extent);
  Kokkos::deep_copy(C, 7);
  const GemmOptions options{.plan = {.family = "portable", .split_k = splits}};
  const std::size_t needed = workspace_bytes(exec_, A, B, C, {}, options);
  ASSERT_GT(needed, total);

  std::string message;
  const auto events = record([&] {
    try {
      gemm(exec_, A, B, C, {}, options);
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
  });
  EXPECT_EQ(message, "Tegula::gemm: there is no memory for a workspace of " + std::to_string(needed) +
                         " bytes: " + cudaGetErrorString(cudaErrorMemoryAllocation));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(events.launches.size(), 0u);
  EXPECT_EQ(events.allocations, Texts());
  EXPECT_EQ(events.deallocations, Texts());
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
  EXPECT_TRUE(std::all_of(result.data(), result.data() + result.size(), [](float element) { return element == 7; }));

  Random random    = make_random();
  const auto layer = make_layer(random, {300, 200, 400}, "portable_f32", 3, 8);
  const auto alone = results_alone(*layer, exec_);
  layer->forget_results();
  layer->run_without_workspace(exec_);
  exec_.fence();
  EXPECT_TRUE(are_same_numbers(layer->results(), alone)) << "the next call";
}

TEST_F(CudaMemoryErrors, ALaunchThatThrowsGivesItBack) {
  const auto events = record([&] {
    EXPECT_THROW(Impl::with_own_memory(exec_, "gemm", 1 << 20, [](const char*) { throw std::logic_error("launch"); }),
                 std::logic_error);
  });
  exec_.fence();
  EXPECT_EQ(events.allocations, labels(1));
  EXPECT_EQ(events.deallocations, labels(1));
  EXPECT_EQ(pool_bytes(exec_, cudaMemPoolAttrUsedMemCurrent), 0u);
}

}  // namespace
}  // namespace Tegula::Test
