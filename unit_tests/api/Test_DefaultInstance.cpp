// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "Tegula_TestRandom.hpp"
#include "Tegula_TestTools.hpp"
#include "Tegula_TestTypes.hpp"

/// Calls without an execution space are those on the default instance of the result's: they launch the same kernels
/// there and give the same bits.

namespace Tegula::Test {
namespace {

template <class C>
class DefaultInstance : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  using Vector = Kokkos::View<double*, Space>;

  static Matrix random_matrix(Random& random, const std::string& label, std::int64_t rows, std::int64_t columns) {
    const Matrix matrix(label, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    const auto host = Kokkos::create_mirror_view(matrix);
    for (std::size_t e = 0; e < host.size(); ++e) host.data()[e] = uniform(random, -1, 1);
    Kokkos::deep_copy(matrix, host);
    return matrix;
  }

  void SetUp() override {
    both_calls();  // the first team kernel of a process makes Kokkos allocate its own scratch
    Kokkos::fence();
  }

  // All results of a layer and its gradients, and where they were computed.
  struct Outcome {
    std::vector<double> values;
    std::vector<std::string> labels;
    std::vector<std::uint32_t> devices;
  };
  template <class Calls>
  Outcome outcome(const Calls& calls) {
    for (const Matrix& result : {C_, Z_, dA_, dB_}) Kokkos::deep_copy(result, std::nan(""));
    Kokkos::deep_copy(dbias_, std::nan(""));
    Outcome outcome;
    const KokkosEvents events = record(calls);
    Kokkos::fence();
    for (const auto& launch : events.launches) {
      outcome.labels.push_back(launch.label);
      outcome.devices.push_back(launch.device);
    }
    const auto keep = [&](const auto& view) {
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
      outcome.values.insert(outcome.values.end(), host.data(), host.data() + host.size());
    };
    for (const Matrix& result : {C_, Z_, dA_, dB_}) keep(result);
    keep(dbias_);
    return outcome;
  }

  // exec... is an instance, or nothing.
  template <class... Exec>
  void both_calls(const Exec&... exec) {
    gemm(exec..., A_, B_, C_, Epilogue(Silu(), bias_, Z_), {.alpha = 0.5, .plan = split_}, workspace_);
    gemm_backward(exec..., C_, A_, B_, PreActivation(Z_), dA_, dB_, dbias_, Silu(), {.alpha = 0.5, .plan = split_},
                  workspace_);
  }
  template <class... Exec>
  std::vector<std::string> descriptions(const Exec&... exec) {
    const GemmBackwardOptions options{.plan = split_};
    return {
        describe(exec..., A_, B_, C_),
        describe(exec..., A_, B_, C_, Epilogue(Silu()), {.plan = split_}),
        make_plan(exec..., A_, B_, C_, {}, {.plan = split_}).text(),
        std::to_string(workspace_bytes(exec..., A_, B_, C_, {}, {.plan = split_})),
        describe(exec..., C_, A_, B_, none, dA_, dB_, dbias_),
        describe(exec..., C_, A_, B_, Output(C_), dA_, dB_, dbias_, Tanh(), options),
        make_plan(exec..., C_, A_, B_, none, dA_, none, none, Identity(), options).text(),
        std::to_string(workspace_bytes(exec..., C_, A_, B_, none, dA_, dB_, dbias_, Identity(), options)),
    };
  }

  Random random_ = make_random();
  PlanOptions split_{.split_k = 2};
  Matrix A_ = random_matrix(random_, "A", 70, 600), B_ = random_matrix(random_, "B", 600, 66);
  Matrix C_{"C", 70, 66}, Z_{"Z", 70, 66}, dA_{"dA", 70, 600}, dB_{"dB", 600, 66};
  Vector bias_{"bias", 66}, dbias_{"dbias", 66};
  Workspace<Space> workspace_{"workspace", 4 << 20};
};

TYPED_TEST_SUITE(DefaultInstance, SpaceCases, CaseName);

TYPED_TEST(DefaultInstance, RunsTheSameKernelsToTheSameBits) {
  const typename TestFixture::Space exec;
  const auto expected = this->outcome([&] { this->both_calls(exec); });
  const auto actual   = this->outcome([&] { this->both_calls(); });
  EXPECT_EQ(actual.values, expected.values);
  EXPECT_EQ(actual.labels, expected.labels);
  EXPECT_EQ(actual.devices, expected.devices);
  for (const double value : actual.values) ASSERT_TRUE(std::isfinite(value));
}

TYPED_TEST(DefaultInstance, HasTheSamePlans) {
  const typename TestFixture::Space exec;
  EXPECT_EQ(this->descriptions(), this->descriptions(exec));
}

TYPED_TEST(DefaultInstance, RefusesWhatAnInstanceRefuses) {
  EXPECT_THROW(gemm(this->A_, this->B_, this->dA_), std::invalid_argument);
  // Of three parts, which no family shares without a workspace.
  const Workspace<typename TestFixture::Space> workspace("workspace", 16);
  EXPECT_THROW(gemm(this->A_, this->B_, this->C_, {}, {.plan = {.split_k = 3}}, workspace), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
