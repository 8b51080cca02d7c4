// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestCudaGraph.hpp"

/// measure on a GPU of NVIDIA, beyond what unit_tests/api/Test_Measure.cpp has for every space: passes and copies have
/// rows, all that is predicted is measured, and a stream that is captured is left alone.

namespace Tegula::Test {
namespace {

template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::CudaSpace>;

class CudaMeasure : public testing::Test {
 protected:
  void SetUp() override {
    if (Kokkos::Cuda().cuda_device_prop().major < 8) GTEST_SKIP() << "needs a GPU of compute capability 8.0 or newer";
  }

  /// Every step has a time, and the whole takes about as long as they do.
  static void expect_times(const Measurement& measured, const Plan& plan) {
    const auto planned = plan.steps();
    ASSERT_EQ(measured.steps.size(), planned.size()) << measured.text();
    double sum = 0;
    for (std::size_t s = 0; s < planned.size(); ++s) {
      EXPECT_EQ(measured.steps[s].step.label, planned[s].label);
      EXPECT_GT(measured.steps[s].seconds, 0) << planned[s].label;
      sum += measured.steps[s].seconds;
    }
    EXPECT_GT(measured.seconds, 0.2 * sum) << measured.text();
    EXPECT_LT(measured.seconds, 2 * sum) << measured.text();
  }

  static bool has_step(const Measurement& measured, const char* ending) {
    return std::any_of(measured.steps.begin(), measured.steps.end(), [&](const MeasuredStep& s) {
      return s.step.label.find(ending) != std::string::npos && s.step.seconds > 0;
    });
  }

  const CudaStream stream_;
  const Matrix<float> wide_{"wide", 512, 512}, sums_{"sums", 512, 512};
  const Matrix<bhalf_t> narrow_{"narrow", 512, 512};
  const Kokkos::View<float*, Kokkos::CudaSpace> bias_{"bias", 512};
};

TEST_F(CudaMeasure, TellsTheTimesOfPasses) {
  const auto& exec = stream_.exec();
  const Epilogue epilogue(Wave{0.5}, bias_);
  const GemmOptions options{.plan = {.family = "simt"}};
  const Measurement measured = measure(exec, wide_, narrow_, sums_, epilogue, options);
  expect_times(measured, make_plan(exec, wide_, narrow_, sums_, epilogue, options));
  EXPECT_TRUE(has_step(measured, Impl::widen_steps[1])) << measured.text();
  EXPECT_TRUE(has_step(measured, Impl::finish_step)) << measured.text();
}

TEST_F(CudaMeasure, TellsTheTimesOfAllGradients) {
  const auto& exec = stream_.exec();
  const Matrix<bhalf_t> dA("dA", 512, 512), dB("dB", 512, 512);
  const GemmBackwardOptions options{.dB = Update::accumulate};
  const Measurement measured =
      measure(exec, narrow_, narrow_, narrow_, PreActivation(wide_), dA, dB, bias_, Wave(), options);
  expect_times(measured,
               make_plan(exec, narrow_, narrow_, narrow_, PreActivation(wide_), dA, dB, bias_, Wave(), options));
  EXPECT_TRUE(has_step(measured, Impl::gradient_step)) << measured.text();
}

TEST_F(CudaMeasure, TellsTheTimesOfCopies) {
  const auto& exec = stream_.exec();
  const auto odd   = Kokkos::subview(narrow_, Kokkos::ALL(), Kokkos::pair<int, int>(1, 512));
  const Matrix<bhalf_t> right("right", 511, 512), result("result", 512, 512);
  for (const int split_k : {1, 3}) {
    const GemmOptions options{.plan = {.split_k = split_k}};
    expect_times(measure(exec, odd, right, result, {}, options), make_plan(exec, odd, right, result, {}, options));
  }
}

TEST_F(CudaMeasure, RefusesAStreamThatIsCaptured) {
  const auto& exec = stream_.exec();
  for (const CaptureMode& mode : capture_modes) {
    try {
      const CudaGraph graph(exec, mode.mode, [&] { measure(exec, wide_, wide_, sums_); });
      FAIL() << "no exception, capturing " << mode.name;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("the stream of exec is being captured"), std::string::npos)
          << error.what();
    }
    EXPECT_GT(measure(exec, wide_, wide_, sums_).seconds, 0) << mode.name;
  }
}

}  // namespace
}  // namespace Tegula::Test
