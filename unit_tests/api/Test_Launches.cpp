// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "Tegula_TestMatrix.hpp"
#include "Tegula_TestTools.hpp"
#include "Tegula_TestTypes.hpp"

/// What a call does to the execution space, as Kokkos Tools sees it: one labelled kernel on the caller's instance (two
/// more at most with split-k), no fence, no copy, and no allocation when it is given a workspace. Without one it takes
/// memory, and does not fence for that either.

namespace Tegula::Test {
namespace {

// An instance that is not the default one, where the space has such.
template <class Space>
Space other_instance() {
#if KOKKOS_VERSION >= 40000
  return Kokkos::Experimental::partition_space(Space(), 1, 1)[1];
#else
  return Space();
#endif
}

template <class C>
class Launches : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, typename Space::memory_space>;
  using Vector = Kokkos::View<double*, typename Space::memory_space>;
  using Bytes  = Kokkos::View<char*, typename Space::memory_space>;

  void SetUp() override {
    // The first team kernel of a process makes Kokkos allocate its own scratch, and fences for that.
    forward({}, {});
    backward({}, {});
    exec_.fence();
  }

  void forward(const PlanOptions& plan, const Bytes& workspace) {
    gemm(exec_, A_, B_, C_, Epilogue(GeluErf(), bias_, Z_), {.plan = plan}, workspace);
  }
  void backward(const PlanOptions& plan, const Bytes& workspace) {
    gemm_backward(exec_, C_, A_, B_, PreActivation(Z_), dA_, dB_, dbias_, GeluErf(), {.plan = plan}, workspace);
  }

  void expect_quiet(const KokkosEvents& events, std::size_t launches) {
    EXPECT_EQ(events.launches.size(), launches);
    std::vector<std::uint64_t> all(events.launches.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(events.ended, all);
    for (const auto& launch : events.launches) {
      EXPECT_EQ(launch.label.rfind("Tegula::", 0), 0u) << launch.label;
      EXPECT_EQ(launch.device, Kokkos::Tools::Experimental::device_id(exec_)) << launch.label;
    }
    EXPECT_EQ(events.fences, std::vector<std::string>());
    EXPECT_EQ(events.allocations, std::vector<std::string>());
    EXPECT_EQ(events.deep_copies, 0);
  }

  // One kernel forms both gradients and dbias: the host family's, and the portable family's on devices, where others
  // may be faster with several.
  static PlanOptions in_one_kernel(int split_k) {
    return {.family = Impl::is_done_at_return<Space> ? "" : "portable", .split_k = split_k};
  }

  Space exec_ = other_instance<Space>();
  Matrix A_{"A", 70, 600}, B_{"B", 600, 66}, C_{"C", 70, 66}, Z_{"Z", 70, 66}, dA_{"dA", 70, 600}, dB_{"dB", 600, 66};
  Vector bias_{"bias", 66}, dbias_{"dbias", 66};
};

TYPED_TEST_SUITE(Launches, SpaceCases, CaseName);

TYPED_TEST(Launches, GemmIsOneKernelOnTheCallersInstance) {
  this->expect_quiet(record([&] { this->forward({.split_k = 1}, {}); }), 1);
}

TYPED_TEST(Launches, GemmBackwardIsOneKernelOnTheCallersInstance) {
  this->expect_quiet(record([&] { this->backward(this->in_one_kernel(1), {}); }), 1);
}

TYPED_TEST(Launches, SplitsAddOneKernelAProductAndUseTheWorkspace) {
  typename TestFixture::Bytes workspace("workspace", 4 << 20);
  // Kokkos' own scratch grows in the first call that wants more of it.
  this->forward(this->in_one_kernel(2), workspace);
  this->backward(this->in_one_kernel(2), workspace);
  this->expect_quiet(record([&] { this->forward(this->in_one_kernel(2), workspace); }), 2);
  this->expect_quiet(record([&] { this->backward(this->in_one_kernel(2), workspace); }), 3);
}

TYPED_TEST(Launches, SplitsWithoutAWorkspaceTakeMemoryAndDoNotWait) {
  using Space = typename TestFixture::Space;
  using Texts = std::vector<std::string>;
  if (!Impl::is_done_at_return<Space> && std::string(Space::name()) != "Cuda") GTEST_SKIP() << "calls fence here";
  // Hosts keep the block that the first call took; on devices every call takes memory from a pool.
  const Texts told = Impl::is_done_at_return<Space> ? Texts{} : Texts{"Tegula::workspace"};
  const auto test  = [&](std::size_t launches, const auto& call) {
    call();
    for (int repeat = 0; repeat < 3; ++repeat) {
      KokkosEvents events = record(call);
      EXPECT_EQ(events.allocations, told);
      EXPECT_EQ(events.deallocations, told);
      events.allocations.clear();
      this->expect_quiet(events, launches);
    }
  };
  test(2, [&] { this->forward(this->in_one_kernel(2), {}); });
  test(3, [&] { this->backward(this->in_one_kernel(2), {}); });
}

TYPED_TEST(Launches, LabelsTellThePath) {
  const PlanOptions portable{.family = "portable", .split_k = 1};
  const auto tile     = text(make_plan(this->exec_, this->A_, this->B_, this->C_, {}, {.plan = portable}).tile());
  const auto label_of = [](const KokkosEvents& events) { return events.launches.at(0).label; };
  EXPECT_EQ(
      label_of(record([&] { gemm(this->exec_, this->A_, this->B_, this->C_, Epilogue(Relu()), {.plan = portable}); })),
      "Tegula::gemm[portable,f64,NN,relu," + tile + "]");
  typename TestFixture::Matrix transposed("transposed", 66, 70);
  EXPECT_EQ(label_of(record([&] {
              gemm(this->exec_, this->dB_, this->A_, transposed, {},
                   {.op_a = Op::transpose, .op_b = Op::transpose, .plan = portable});
            })),
            "Tegula::gemm[portable,f64,TT,identity," + tile + "]");
}

// describe lists what tools see, in the same order, and no two kernels have one label.
TYPED_TEST(Launches, AreTheStepsOfThePlan) {
  const auto& exec = this->exec_;
  const auto &A = this->A_, &B = this->B_, &C = this->C_, &Z = this->Z_, &dA = this->dA_, &dB = this->dB_;
  const auto expect_steps = [](const Plan& plan, const KokkosEvents& events) {
    std::vector<std::string> seen, steps;
    for (const auto& launch : events.launches) seen.push_back(launch.label);
    for (const PlanStep& step : plan.steps()) {
      steps.push_back(step.label);
      EXPECT_NE(plan.text().find(step.label + ' ' + step.what), std::string::npos) << plan.text();
    }
    EXPECT_EQ(seen, steps) << plan.text();
    std::sort(steps.begin(), steps.end());
    EXPECT_EQ(std::adjacent_find(steps.begin(), steps.end()), steps.end()) << plan.text();
  };
  for (const char* family : {"", "portable"}) {
    for (const int split_k : {0, 1, 3}) {
      const PlanOptions plan{.family = family, .split_k = split_k};
      const Epilogue epilogue(Silu(), this->bias_, Z);
      const GemmOptions options{.plan = plan};
      const GemmBackwardOptions backward{.plan = plan};
      expect_steps(make_plan(exec, A, B, C, epilogue, options),
                   record([&] { gemm(exec, A, B, C, epilogue, options); }));
      expect_steps(make_plan(exec, C, A, B, PreActivation(Z), dA, dB, this->dbias_, Silu(), backward), record([&] {
                     gemm_backward(exec, C, A, B, PreActivation(Z), dA, dB, this->dbias_, Silu(), backward);
                   }));
      expect_steps(make_plan(exec, C, A, B, none, none, dB, none, Identity(), backward),
                   record([&] { gemm_backward(exec, C, A, B, none, none, dB, none, Identity(), backward); }));
    }
  }
}

// Hosts may compute one team without a launch, but not behind a tool's back.
TYPED_TEST(Launches, SmallProductsAreToldToTools) {
  typename TestFixture::Matrix A("A", 8, 8), B("B", 8, 8), C("C", 8, 8);
  const Plan plan = make_plan(this->exec_, A, B, C);
  this->expect_quiet(record([&] { gemm(this->exec_, A, B, C); }), 1);
  this->expect_quiet(record([&] { gemm(this->exec_, plan, A, B, C); }), 1);
}

TYPED_TEST(Launches, NothingRunsWhereThereIsNothingToDo) {
  typename TestFixture::Matrix A("A", 0, 5), B("B", 5, 6), C("C", 0, 6);
  this->expect_quiet(record([&] { gemm(this->exec_, A, B, C); }), 0);
}

TYPED_TEST(Launches, PlansAndChecksRunNothing) {
  this->expect_quiet(record([&] {
                       describe(this->exec_, this->A_, this->B_, this->C_);
                       workspace_bytes(this->exec_, this->A_, this->B_, this->C_);
                       EXPECT_THROW(gemm(this->exec_, this->A_, this->A_, this->C_), std::invalid_argument);
                     }),
                     0);
}

}  // namespace
}  // namespace Tegula::Test
