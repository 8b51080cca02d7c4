// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "Tegula_OwnMemory.hpp"
#include "Tegula_TestMatrix.hpp"
#include "Tegula_TestTools.hpp"
#include "host/Tegula_HostMemory.hpp"

/// Memory for workspaces of calls on hosts that were given none: blocks that calls use again, one at a time, and any
/// number of calls at once.

namespace Tegula::Test {
namespace {

using Impl::HostMemory;
using Texts = std::vector<std::string>;

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(HostMemory, IsUsedAgain) {
  const char* const first = HostMemory("gemm", 1000).data();
  const auto events       = record([&] {
    for (const std::size_t bytes : {1000, 1, 999, 1000}) EXPECT_EQ(HostMemory("gemm", bytes).data(), first);
  });
  EXPECT_EQ(events.allocations, Texts());
  EXPECT_EQ(events.deallocations, Texts());
  EXPECT_EQ(events.fences, Texts());
}

TEST(HostMemory, IsToldToToolsWithALabel) {
  const HostMemory held("gemm", 3000);  // the next must be another block
  std::vector<std::unique_ptr<HostMemory>> several;
  const auto events = record([&] {
    for (int i = 0; i < 20; ++i) several.push_back(std::make_unique<HostMemory>("gemm", 3000));
  });
  EXPECT_GE(events.allocations.size(), 15u);  // tests before may have left a few
  for (const std::string& label : events.allocations) EXPECT_EQ(label, "Tegula::workspace");
}

TEST(HostMemory, OfCallsAtOnceIsApart) {
  constexpr std::size_t bytes = 5000;
  const HostMemory first("gemm", bytes), second("gemm", bytes), third("gemm", bytes);
  std::vector<const char*> begins{first.data(), second.data(), third.data()};
  std::sort(begins.begin(), begins.end());
  EXPECT_GE(begins[1] - begins[0], std::ptrdiff_t(bytes));
  EXPECT_GE(begins[2] - begins[1], std::ptrdiff_t(bytes));
}

TEST(HostMemory, OfALargeBlockServesASmallCallWhenThatIsAllThereIs) {
  const char* large = nullptr;
  {
    const HostMemory memory("gemm", 1 << 22);
    large = memory.data();
  }
  const auto events = record([&] { const HostMemory memory("gemm", 1 << 21); });
  EXPECT_EQ(events.allocations, Texts());
  EXPECT_EQ(HostMemory("gemm", 1 << 22).data(), large);
}

TEST(HostMemory, ThatGrowsIsAllocatedForEveryDoubling) {
  constexpr std::size_t first = 1 << 23, last = 1 << 26;  // more than other tests leave behind
  const auto events = record([] {
    for (std::size_t bytes = first; bytes <= last; bytes += 1 << 16) HostMemory("gemm", bytes).data()[bytes - 1] = 1;
  });
  EXPECT_LE(events.allocations.size(), 4u);
  EXPECT_EQ(events.deallocations, Texts()) << "Kokkos fences when it frees";
}

TEST(HostMemory, OfManyBytesIsFreedAfterTheCall) {
  const auto events = record([] { const HostMemory memory("gemm", HostMemory::most_kept_bytes + 1); });
  EXPECT_EQ(events.allocations, Texts{"Tegula::workspace"});
  EXPECT_EQ(events.deallocations, Texts{"Tegula::workspace"});
}

TEST(HostMemory, ThatCannotBeHadIsAnErrorThatNamesCallAndBytes) {
  constexpr std::size_t bytes = std::size_t(1) << 62;
  const Kokkos::DefaultHostExecutionSpace exec;
  const auto nothing = [](char*) { ADD_FAILURE() << "launched without memory"; };
  const std::string expected =
      "Tegula::gemm_backward: there is no memory for a workspace of " + std::to_string(bytes) + " bytes: ";
  for (const std::string& message :
       {message_of([&] { Impl::with_own_memory(exec, "gemm_backward", bytes, nothing); }),
        message_of([&] { Impl::with_fenced_memory(exec, "gemm_backward", bytes, nothing); })})
    EXPECT_EQ(message.rfind(expected, 0), 0u) << message;
  EXPECT_NE(HostMemory("gemm", 100).data(), nullptr) << "memory that there is can still be had";
}

TEST(HostMemory, IsGivenBackWhenALaunchThrows) {
  const Kokkos::DefaultHostExecutionSpace exec;
  const char *thrown = nullptr, *next = nullptr;
  EXPECT_THROW(Impl::with_own_memory(exec, "gemm", 70000,
                                     [&](const char* memory) {
                                       thrown = memory;
                                       throw std::logic_error("launch");
                                     }),
               std::logic_error);
  Impl::with_own_memory(exec, "gemm", 70000, [&](const char* memory) { next = memory; });
  EXPECT_EQ(next, thrown);
}

TEST(HostMemory, OfSpacesThatOnlyQueueIsFenced) {
  const Kokkos::DefaultHostExecutionSpace exec;
  const auto events = record([&] {
    Impl::with_fenced_memory(exec, "gemm", 100, [](char* memory) {
      memory[99] = 1;
      EXPECT_EQ(KokkosRecorder::events().deallocations, Texts());
    });
  });
  EXPECT_EQ(events.allocations, Texts{"Tegula::workspace"});
  EXPECT_EQ(events.deallocations, Texts{"Tegula::workspace"});
#if KOKKOS_VERSION >= 30600  // since when spaces of the host tell tools of their fences
  EXPECT_FALSE(events.fences.empty());
#endif
}

// Threads that take memory and fill it, as often as they can, find in it what they wrote.
void expect_threads_to_be_apart(std::size_t most_bytes, std::size_t repeats) {
  std::vector<std::future<bool>> running;
  for (std::size_t t = 0; t < 4; ++t)
    running.push_back(std::async(std::launch::async, [=] {
      bool is_alone = true;
      for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
        const std::size_t bytes = 1 + (repeat * 7919 + t * 104729) % most_bytes;
        const HostMemory memory("gemm", bytes);
        std::fill_n(memory.data(), bytes, static_cast<char>(t));
        is_alone = is_alone && std::count(memory.data(), memory.data() + bytes, static_cast<char>(t)) ==
                                   static_cast<std::ptrdiff_t>(bytes);
      }
      return is_alone;
    }));
  for (auto& thread : running) EXPECT_TRUE(thread.get());
}

TEST(HostMemory, IsHadByOneThreadAtATime) {
  expect_threads_to_be_apart(40000, 2000);
  expect_threads_to_be_apart(64, 300000);
}

#if KOKKOS_VERSION >= 40400  // before that several threads may not call Kokkos at once
TEST(HostMemory, ServesCallsOfSeveralThreadsAtOnce) {
  using Space           = Kokkos::DefaultHostExecutionSpace;
  using Matrix          = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  constexpr int threads = 4, repeats = 50, m = 37, n = 29, k = 700;
  const auto spaces = Kokkos::Experimental::partition_space(Space(), std::vector<int>(threads, 1));
  std::vector<std::future<bool>> running;
  for (int t = 0; t < threads; ++t)
    running.push_back(std::async(std::launch::async, [exec = spaces[t], t] {
      const Matrix A("A", m, k), B("B", k, n), C("C", m, n);
      Kokkos::deep_copy(exec, A, t + 1);
      Kokkos::deep_copy(exec, B, 1);
      bool is_right = true;
      for (int repeat = 0; repeat < repeats; ++repeat) {
        gemm(exec, A, B, C, {}, {.plan = {.split_k = 3}});
        for (int i = 0; i < m * n; ++i) is_right = is_right && C.data()[i] == k * (t + 1);
        Kokkos::deep_copy(exec, C, -1);
      }
      return is_right;
    }));
  for (auto& thread : running) EXPECT_TRUE(thread.get());
}
#endif

}  // namespace
}  // namespace Tegula::Test
