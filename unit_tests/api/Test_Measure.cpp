// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestTools.hpp"
#include "Tegula_TestTypes.hpp"

/// measure runs the kernels of a plan and tells the time of each. The arguments of these calls lie in memory that
/// nobody may read or write: it stays unread and unwritten.

namespace Tegula::Test {
namespace {

/// Addresses whose use ends the process, or the work of a device.
class ForbiddenMemory {
 public:
  explicit ForbiddenMemory(std::size_t bytes)
      : bytes_(bytes), data_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (data_ == MAP_FAILED) throw std::runtime_error("no addresses");
  }
  ~ForbiddenMemory() { munmap(data_, bytes_); }
  ForbiddenMemory(const ForbiddenMemory&)            = delete;
  ForbiddenMemory& operator=(const ForbiddenMemory&) = delete;

  /// The next so many elements, behind a gap.
  template <class T>
  T* take(std::size_t elements) {
    T* const begin = reinterpret_cast<T*>(static_cast<char*>(data_) + taken_);
    taken_ += (elements + 1) * sizeof(T);
    if (taken_ > bytes_) throw std::runtime_error("too few addresses");
    return begin;
  }

 private:
  std::size_t bytes_, taken_ = 0;
  void* data_;
};

/// act(z) = z. Counts the numbers that it is called with: ordinary ones, and those out of bounds. Kernels may call it
/// with zeros, too, beyond the edges of a matrix.
struct Watch {
  static constexpr Saved saved      = Saved::nothing;
  static constexpr const char* name = "watch";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    const T size = z < 0 ? -z : z;
    if (!(size < T(bound))) {
      Kokkos::atomic_fetch_add(counts + 1, 1);
    } else if (size > T(1e-9)) {
      Kokkos::atomic_fetch_add(counts, 1);
    }
    return z;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T) const {
    return T(1);
  }

  int* counts;
  double bound;
};

/// act(z) = z, which takes a host at least this long.
struct Nap {
  static constexpr Saved saved      = Saved::nothing;
  static constexpr const char* name = "nap";
  static constexpr std::chrono::microseconds time{200};

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
    std::this_thread::sleep_for(time);
#endif
    return z;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T) const {
    return T(1);
  }
};

template <class C>
class Measure : public testing::Test {
 protected:
  using Space       = typename C::Space;
  using MemorySpace = typename Space::memory_space;
  // A device has no other work; threads of a host may wait for others' in one of two runs.
  static constexpr bool measures_a_device = !std::is_same_v<MemorySpace, Kokkos::HostSpace>;
  using Unmanaged                         = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  template <class T>
  using Strided = Kokkos::View<T**, Kokkos::LayoutStride, MemorySpace, Unmanaged>;

  /// With gaps between the lines, and between the elements of a line.
  template <class T = double>
  Strided<T> matrix(std::size_t rows, std::size_t columns, std::size_t step = 1) {
    const std::size_t pitch = columns * step + 3;
    return Strided<T>(memory_.take<T>(rows * pitch), Kokkos::LayoutStride(rows, pitch, columns, step));
  }
  template <class T = double>
  Kokkos::View<T*, MemorySpace, Unmanaged> vector(std::size_t size) {
    return Kokkos::View<T*, MemorySpace, Unmanaged>(memory_.take<T>(size), size);
  }

  /// A row for each step of the plan, with a time of its own.
  void expect_times(const Measurement& measured, const Plan& plan) {
    const std::vector<PlanStep> steps = plan.steps();
    const std::string text            = measured.text();
    ASSERT_EQ(measured.steps.size(), steps.size()) << text;
    double most = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const auto& [step, seconds] = measured.steps[s];
      EXPECT_EQ(step.label, steps[s].label);
      EXPECT_EQ(step.what, steps[s].what);
      EXPECT_EQ(step.seconds, steps[s].seconds);
      EXPECT_GT(seconds, 0) << step.label;
      EXPECT_NE(text.find(step.label + ' ' + step.what + ", "), std::string::npos) << text;
      most = std::max(most, seconds);
    }
    EXPECT_GT(measured.seconds, measures_a_device ? 0.01 * most : 0) << text;
    EXPECT_EQ(measured.plan.label(), plan.label());
    EXPECT_NE(text.find(plan.machine), std::string::npos) << text;
    EXPECT_EQ(measured.plan.workspace_bytes(), plan.workspace_bytes());
  }

  /// gemm of the same arguments, and the plan that it has.
  template <class... Arguments>
  void measure_and_expect_times(const Arguments&... arguments) {
    expect_times(measure(exec_, arguments...), make_plan(exec_, arguments...));
  }

  Space exec_;
  ForbiddenMemory memory_{std::size_t(1) << 26};
};

TYPED_TEST_SUITE(Measure, SpaceCases, CaseName);

TYPED_TEST(Measure, TellsTheTimeOfEveryStepOfGemm) {
  const auto A = this->matrix(70, 600), B = this->matrix(600, 66), C = this->matrix(70, 66), Z = this->matrix(70, 66);
  const Epilogue epilogue(GeluErf(), this->vector(66), Z);
  for (const char* family : {"", "portable"}) {
    for (const int split_k : {0, 1, 3}) {
      const PlanOptions plan{.family = family, .split_k = split_k};
      this->measure_and_expect_times(A, B, C, epilogue, GemmOptions{.alpha = 2, .beta = 3, .plan = plan});
    }
  }
}

TYPED_TEST(Measure, TellsTheTimeOfEveryStepOfGemmBackward) {
  const auto A = this->matrix(70, 600), B = this->matrix(600, 66), dC = this->matrix(70, 66), Z = this->matrix(70, 66);
  const auto dA = this->matrix(70, 600), dB = this->matrix(600, 66);
  const auto dbias = this->vector(66);
  for (const char* family : {"", "portable"}) {
    for (const int split_k : {0, 1, 3}) {
      const GemmBackwardOptions options{.dB = Update::accumulate, .plan = {.family = family, .split_k = split_k}};
      this->measure_and_expect_times(dC, A, B, PreActivation(Z), dA, dB, dbias, GeluErf(), options);
      this->measure_and_expect_times(dC, A, B, none, none, dB, none, Identity(), options);
    }
  }
}

TYPED_TEST(Measure, TakesTransposesStridesAndActivationsOfTheUsers) {
  const auto A = this->matrix(40, 30, 2), B = this->matrix(50, 40, 3), C = this->matrix(30, 50, 2);
  const Epilogue epilogue(Wave{0.5}, this->vector(50), this->matrix(30, 50));
  this->measure_and_expect_times(A, B, C, epilogue, GemmOptions{.op_a = Op::transpose, .op_b = Op::transpose});
  const auto dA = this->matrix(40, 30), dB = this->matrix(50, 40);
  this->measure_and_expect_times(C, A, B, Output(C), dA, dB, this->vector(50), Softsign(),
                                 GemmBackwardOptions{.op_a = Op::transpose, .op_b = Op::transpose});
}

TYPED_TEST(Measure, TakesMixedTypes) {
  const auto A = this->template matrix<float>(70, 90);
  const auto B = this->template matrix<half_t>(90, 80);
  const auto C = this->template matrix<bhalf_t>(70, 80);
  this->measure_and_expect_times(A, B, C, Epilogue(Silu(), this->template vector<float>(80)), GemmOptions{.beta = 1});
  this->measure_and_expect_times(C, A, B, none, this->template matrix<float>(70, 90),
                                 this->template matrix<bhalf_t>(90, 80), this->template vector<half_t>(80));
}

TYPED_TEST(Measure, TakesElementsOfTheUsers) {
  const auto A = this->template matrix<Bfloat16>(20, 30), B = this->template matrix<Bfloat16>(30, 25),
             C = this->template matrix<Bfloat16>(20, 25);
  this->measure_and_expect_times(A, B, C, Epilogue(Relu()));
}

// A machine that has other work makes times longer, and no relation of two of them certain: only that they are no
// shorter than what must be waited for.
TYPED_TEST(Measure, TellsNoLessThanTheWorkTakes) {
  if (TestFixture::measures_a_device) GTEST_SKIP() << "nobody waits on a device";
  const auto A = this->matrix(1, 9), B = this->matrix(9, 1), C = this->matrix(1, 1);
  const Measurement measured = measure(this->exec_, A, B, C, Epilogue(Nap()));
  const double least         = std::chrono::duration<double>(Nap::time).count();
  EXPECT_GE(measured.seconds, least) << measured.text();
  double steps = 0;
  for (const MeasuredStep& step : measured.steps) steps += step.seconds;
  EXPECT_GE(steps, least) << measured.text();
}

// All of them as often, in memory that is allocated once, and freed. No call before this one had as much workspace.
TYPED_TEST(Measure, RunsTheKernelsThatAPlanRuns) {
  const auto A = this->matrix(500, 600), B = this->matrix(600, 400), C = this->matrix(500, 400);
  const GemmOptions options{.plan = {.split_k = 3}};
  const Plan plan = make_plan(this->exec_, A, B, C, {}, options);
  ASSERT_GT(plan.workspace_bytes(), 4u << 20);
  const KokkosEvents events = record([&] { measure(this->exec_, A, B, C, {}, options); });
  std::map<std::string, int> heard;
  for (const auto& launch : events.launches) ++heard[launch.label];
  for (const PlanStep& step : plan.steps()) {
    EXPECT_GT(heard[step.label], 10) << step.label;
    EXPECT_EQ(heard[step.label], heard[plan.steps()[0].label]) << step.label;
  }
  const std::string own = "Tegula::measure";
  EXPECT_EQ(std::count(events.allocations.begin(), events.allocations.end(), own), 1);
  EXPECT_EQ(std::count(events.deallocations.begin(), events.deallocations.end(), own), 1);
  EXPECT_EQ(std::count(events.allocations.begin(), events.allocations.end(), "Tegula::workspace"), 0);
}

// All memory of the operands is filled. A result that runs are added to would grow from run to run, and is filled anew.
TYPED_TEST(Measure, NumbersStayOrdinary) {
  const int m = 328, n = 296, k = 16;  // m and n are whole vectors of any host
  const auto A = this->matrix(m, k), B = this->matrix(k, n), C = this->matrix(m, n);
  const Kokkos::View<int*, typename TestFixture::MemorySpace> counts("counts", 2);
  for (const double beta : {0.0, 4.0}) {
    Kokkos::deep_copy(counts, 0);
    measure(this->exec_, A, B, C, Epilogue(Watch{counts.data(), k + beta + 0.001}), {.beta = beta});
    const auto counted = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
    EXPECT_GT(counted(0), 0) << "beta " << beta;
    EXPECT_EQ(counted(0) % (m * n), 0) << "beta " << beta;
    EXPECT_EQ(counted(1), 0) << "beta " << beta;
  }
}

TYPED_TEST(Measure, MeasuresNothingWhereThereIsNothingToDo) {
  const auto A = this->matrix(0, 5), B = this->matrix(5, 6), C = this->matrix(0, 6);
  const Measurement measured = measure(this->exec_, A, B, C);
  EXPECT_TRUE(measured.steps.empty());
  EXPECT_EQ(measured.seconds, 0);
  EXPECT_NE(measured.text().find("nothing to compute"), std::string::npos);
}

TYPED_TEST(Measure, RefusesWhatGemmRefuses) {
  const auto A = this->matrix(7, 5), B = this->matrix(6, 8), C = this->matrix(7, 8);
  EXPECT_THROW(measure(this->exec_, A, B, C), std::invalid_argument);
  EXPECT_THROW(measure(this->exec_, C, A, B, none, A, B, none), std::invalid_argument);
}

TYPED_TEST(Measure, SaysIfThereIsNoMemory) {
  using Strided = typename TestFixture::template Strided<double>;
  const Strided A(this->memory_.template take<double>(1), Kokkos::LayoutStride(2, std::size_t(1) << 50, 3, 1));
  const auto B = this->matrix(3, 4), C = this->matrix(2, 4);
  try {
    measure(this->exec_, A, B, C);
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    const char* said = "Tegula::gemm: there is no memory for matrices to measure with and a workspace of 90071";
    EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
  }
}

TYPED_TEST(Measure, NeedsNoExecutionSpace) {
  const auto A = this->matrix(8, 9), B = this->matrix(9, 7), C = this->matrix(8, 7);
  this->expect_times(measure(A, B, C), make_plan(A, B, C));
  const auto dA = this->matrix(8, 9);
  this->expect_times(measure(C, A, B, none, dA, none, none), make_plan(C, A, B, none, dA, none, none));
}

}  // namespace
}  // namespace Tegula::Test
