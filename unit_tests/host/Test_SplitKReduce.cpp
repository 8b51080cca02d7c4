// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <barrier>
#include <thread>
#include <vector>

#include "reduce/Tegula_SplitKReduce.hpp"

#include "product/Tegula_Product.hpp"

/// How teams of a device add the slices of split-k, done by threads of a host.

namespace Tegula::Test {
namespace {

constexpr int threads = 256;

/// Memory of a team.
struct Scratch {
  char* bytes;

  void* get_shmem_aligned(int, int) const { return bytes; }
};

/// A thread of a team, as the kernel sees it.
struct Member {
  int league, rank;
  std::barrier<>* barrier;
  char* scratch;

  int league_rank() const { return league; }
  int team_rank() const { return rank; }
  Scratch team_scratch(int) const { return {scratch}; }
  void team_barrier() const { barrier->arrive_and_wait(); }
};

/// Counts how often each sum is stored, too.
struct Result {
  double *sums, *row_sums;
  int* stored;
  std::int64_t columns;
  bool has_row_sums;

  void store(std::int64_t i, std::int64_t j, double sum) const {
    sums[i * columns + j] = sum;
    ++stored[i * columns + j];
  }
  void store_row_sum(std::int64_t i, double sum) const { row_sums[i] = sum; }
  bool sums_rows() const { return has_row_sums; }
};

struct NoOperand {};
using Product = Impl::Product<double, NoOperand, NoOperand, Result>;
using Reduce  = Impl::SplitKReduceTeams<Product, double>;

void run(const Reduce& reduce) {
  const auto teams = static_cast<int>(ceil_div(reduce.product.slice_size(), std::int64_t(reduce.elements)));
  std::vector<double> scratch(threads);
  std::barrier<> barrier(threads), end_of_team(threads);
  std::vector<std::thread> running;
  for (int rank = 0; rank < threads; ++rank)
    running.emplace_back([&, rank] {
      for (int team = 0; team < teams; ++team) {
        reduce(Member{team, rank, &barrier, reinterpret_cast<char*>(scratch.data())});
        end_of_team.arrive_and_wait();
      }
    });
  for (std::thread& thread : running) thread.join();
}

/// Slices of whole numbers, whose sums are exact in any order.
void adds_slices(std::int64_t m, std::int64_t n, std::int64_t splits, bool has_row_sums, std::int64_t at_once) {
  const std::int64_t all = m * n + (has_row_sums ? m : 0);
  std::vector<double> slices(static_cast<std::size_t>(all * splits)), sums(static_cast<std::size_t>(m * n), -1),
      row_sums(static_cast<std::size_t>(m), -1), expected(static_cast<std::size_t>(all), 0);
  std::vector<int> stored(static_cast<std::size_t>(m * n), 0);
  for (std::size_t e = 0; e < slices.size(); ++e) {
    slices[e] = static_cast<double>(e * 7919 % 1009) - 500;
    expected[e % static_cast<std::size_t>(all)] += slices[e];
  }
  const Result result{sums.data(), row_sums.data(), stored.data(), n, has_row_sums};
  const Reduce reduce(Product{{}, {}, result, {m, n, 1}, {}, {}, 1, splits, slices.data()}, at_once);
  run(reduce);
  const auto what = testing::Message() << m << " x " << n << ", " << splits << " slices, " << reduce.shares
                                       << " shares";
  for (std::int64_t e = 0; e < m * n; ++e) {
    ASSERT_EQ(sums[static_cast<std::size_t>(e)], expected[static_cast<std::size_t>(e)]) << what;
    ASSERT_EQ(stored[static_cast<std::size_t>(e)], 1) << what;
  }
  for (std::int64_t i = 0; has_row_sums && i < m; ++i)
    ASSERT_EQ(row_sums[static_cast<std::size_t>(i)], expected[static_cast<std::size_t>(m * n + i)]) << what;
}

TEST(SplitKReduce, AddsAllSlicesOfEveryElement) {
  for (const std::int64_t splits : {2, 3, 8, 9, 17, 64, 133})
    for (const std::int64_t at_once : {1, 300, 1000000}) {
      ASSERT_NO_FATAL_FAILURE(adds_slices(1, 1, splits, false, at_once));
      ASSERT_NO_FATAL_FAILURE(adds_slices(7, 13, splits, true, at_once));
      ASSERT_NO_FATAL_FAILURE(adds_slices(3, 150, splits, false, at_once));
    }
}

int shares_of(std::int64_t m, std::int64_t n, std::int64_t splits, std::int64_t at_once) {
  const Result none{nullptr, nullptr, nullptr, n, false};
  return Reduce(Product{{}, {}, none, {m, n, 1}, {}, {}, 1, splits, nullptr}, at_once).shares;
}

// More threads of an element wait for fewer loads one after the other, as long as there are threads.
TEST(SplitKReduce, SharesSlicesWhereTheDeviceHasRoom) {
  constexpr std::int64_t room = 132 * 2048;
  EXPECT_EQ(shares_of(64, 64, 4, room), 1) << "a thread has four on their way at a time";
  EXPECT_EQ(shares_of(64, 64, 5, room), 2);
  EXPECT_EQ(shares_of(64, 64, 32, room), 8);
  EXPECT_EQ(shares_of(64, 64, 1000, room), 32) << "so many at most";
  EXPECT_EQ(shares_of(244, 1390, 12, room), 1) << "elements fill the device";
  EXPECT_EQ(shares_of(200, 400, 100, room), 4);
}

}  // namespace
}  // namespace Tegula::Test
