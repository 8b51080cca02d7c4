// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <portable/Tegula_PortableMachineOf.hpp>
#include <portable/Tegula_PortablePlan.hpp>

#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// What the planner decides and what describe says of it.

namespace Tegula::Test {
namespace {

template <class C>
class Plans : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, typename Space::memory_space>;
  using Vector = Kokkos::View<float*, typename Space::memory_space>;

  void expect_lines(const std::string& description, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      EXPECT_NE(description.find(line), std::string::npos) << '"' << line << "\" is not in\n" << description;
    }
  }

  Space exec_;
};

TYPED_TEST_SUITE(Plans, SpaceCases, CaseName);

TYPED_TEST(Plans, OfGemmAreDescribed) {
  typename TestFixture::Matrix A("A", 1000, 700), B("B", 700, 300), C("C", 1000, 300);
  const Plan plan       = make_plan(this->exec_, A, B, C, Epilogue(Relu()));
  const TileShape& tile = plan.tile();
  const auto rows = ceil_div(1000, tile.m), columns = ceil_div(300, tile.n);
  const auto loaded             = 1000 * 700 * columns + 700 * 300 * rows;
  const std::string description = describe(this->exec_, A, B, C, Epilogue(Relu()));
  this->expect_lines(description, {std::string("Tegula::gemm[") + plan.family + ",f32,NN,relu," + text(tile) + "] on " +
                                       TestFixture::Space::name(),
                                   "C is 1000x300, summed over 700",
                                   std::to_string(rows) + " x " + std::to_string(columns) + " tiles of " + text(tile),
                                   std::to_string(ceil_div(700, tile.k)) + " k steps",
                                   "each left tile is loaded " + std::to_string(columns) + " times, each right tile " +
                                       std::to_string(rows) + " times",
                                   std::to_string(loaded) + " elements loaded by tiles, 300000 stored",
                                   "420000000 flop", "more than 86.78 flop in the time of a byte", "workspace "});
  if (plan.products[0].split_k == 1) {
    this->expect_lines(description, {std::to_string(4 * (loaded + 300000)) + " bytes"});
  }
}

TYPED_TEST(Plans, OfGemmBackwardAreDescribed) {
  typename TestFixture::Matrix A("A", 40, 30), B("B", 30, 20), C("C", 40, 20), dA("dA", 40, 30), dB("dB", 30, 20);
  typename TestFixture::Vector dbias("dbias", 20);
  const Plan plan = make_plan(this->exec_, C, A, B, Output(C), dA, dB, dbias, Tanh());
  this->expect_lines(plan.text(), {std::string("Tegula::gemm_backward[") + plan.family + ",f32,NN,tanh,",
                                   "dA is 40x30, summed over 20", "dB^T is 20x30, summed over 40", "dbias"});
  const std::string only_dB = describe(this->exec_, C, A, B, Output(C), none, dB, none, Tanh());
  EXPECT_EQ(only_dB.find("dA is"), std::string::npos);
  EXPECT_EQ(only_dB.find("dbias"), std::string::npos);
}

TYPED_TEST(Plans, OfNothingAreDescribed) {
  typename TestFixture::Matrix A("A", 0, 30), B("B", 30, 20), C("C", 0, 20);
  this->expect_lines(describe(this->exec_, A, B, C), {"nothing to compute"});
  EXPECT_EQ(workspace_bytes(this->exec_, A, B, C), 0u);
}

TYPED_TEST(Plans, SplitTheInnerDimensionWhereTeamsWouldIdle) {
  typename TestFixture::Matrix A("A", 8, 100000), B("B", 100000, 8), C("C", 8, 8);
  const Plan plan      = make_plan(this->exec_, A, B, C, {}, {.plan = {.family = "portable"}});
  const auto choices   = Impl::portable_tiles<typename TestFixture::Space, float>;
  const auto teams     = Impl::teams_at_once(Impl::portable_machine(this->exec_), choices.back());
  const ProductPlan& c = plan.products[0];
  EXPECT_EQ(c.split_k > 1, teams > 1);
  EXPECT_LE(c.split_k, std::max<std::int64_t>(1, teams));
  EXPECT_EQ(plan.workspace_bytes() > 0, c.split_k > 1);
  EXPECT_GE(c.split_k * c.k_split, 100000) << "the parts cover the inner dimension";
  EXPECT_LT((c.split_k - 1) * c.k_split, 100000) << "and none is empty";
}

// A tall batch: dA has tiles enough for everybody, but the one tile of dB sums over the whole batch.
TYPED_TEST(Plans, SplitTheGradientThatOthersWouldWaitFor) {
  typename TestFixture::Matrix dC("dC", 50000, 8), A("A", 50000, 8), B("B", 8, 8), dA("dA", 50000, 8), dB("dB", 8, 8);
  const Plan plan  = make_plan(this->exec_, dC, A, B, none, dA, dB, none, {}, {.plan = {.family = "portable"}});
  const auto teams = Impl::teams_at_once(Impl::portable_machine(this->exec_),
                                         Impl::portable_tiles<typename TestFixture::Space, float>.back());
  EXPECT_EQ(plan.products[0].split_k, 1);
  EXPECT_EQ(plan.products[1].split_k > 1, teams > 1);
}

TYPED_TEST(Plans, FollowOptions) {
  typename TestFixture::Matrix A("A", 300, 500), B("B", 500, 200), C("C", 300, 200);
  for (const auto& choice : Impl::portable_tiles<typename TestFixture::Space, float>) {
    const Plan plan = make_plan(this->exec_, A, B, C, {},
                                {.plan = {.family = "portable", .tile = choice.tile, .group = 3, .split_k = 2}});
    EXPECT_EQ(plan.tile(), choice.tile);
    EXPECT_EQ(plan.products[0].order.group, 3);
    EXPECT_EQ(plan.products[0].split_k, 2);
    EXPECT_EQ(plan.workspace_bytes(), 2 * 300 * 200 * sizeof(float));
  }
}

#ifdef KOKKOS_ENABLE_CUDA
TEST(Cuda_Plans, CountTheMultiprocessorsOfTheInstancesDevice) {
  const Kokkos::Cuda exec;
  EXPECT_EQ(Impl::portable_machine(exec).units, exec.cuda_device_prop().multiProcessorCount);
}
#endif

template <class C>
class Repeats : public testing::Test {
 protected:
  using Space    = typename C::Space;
  using Scalar   = typename C::Scalar;
  using Matrix   = DeviceMatrix<Space, Kokkos::LayoutRight, Scalar>;
  Random random_ = make_random();
};

TYPED_TEST_SUITE(Repeats, SpaceScalarCases, CaseName);

// One plan, one result, to the last bit: with and without split-k, with a workspace that holds rubbish.
TYPED_TEST(Repeats, BitForBit) {
  using Matrix = typename TestFixture::Matrix;
  using Space  = typename TestFixture::Space;
  const Matrix A(random_matrix(this->random_, 130, 900)), B(random_matrix(this->random_, 900, 70));
  const Matrix C(130, 70), dA(130, 900), dB(900, 70), dbias(1, 70);
  Kokkos::View<char*, typename Space::memory_space> workspace("workspace", 8 << 20);
  for (const int split_k : {0, 1, 3}) {
    std::vector<HostMatrix> first;
    for (int repeat = 0; repeat < 5; ++repeat) {
      Kokkos::deep_copy(workspace, static_cast<char>(repeat - 1));
      const PlanOptions plan{.split_k = split_k};
      gemm(Space(), A.view(), B.view(), C.view(), Epilogue(Tanh()), {.plan = plan}, workspace);
      gemm_backward(Space(), C.view(), A.view(), B.view(), Output(C.view()), dA.view(), dB.view(), dbias.row(), Tanh(),
                    {.plan = plan}, workspace);
      const std::vector<HostMatrix> now{C.values(), dA.values(), dB.values(), dbias.values()};
      if (repeat == 0) first = now;
      for (std::size_t r = 0; r < now.size(); ++r) ASSERT_EQ(now[r].values, first[r].values) << split_k << ' ' << r;
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
