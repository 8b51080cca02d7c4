// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestMatrix.hpp"
#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// A plan that is run: the same bits as without it, for every call that is like the one that it was made for; any other
/// is refused before anything is written.

namespace Tegula::Test {
namespace {

template <class C>
class RunPlan : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = DeviceMatrix<Space, Kokkos::LayoutRight, double>;
  using View   = typename Matrix::view_type;
  using Vector = Kokkos::View<double*, typename Space::memory_space>;
  using Bytes  = Kokkos::View<char*, typename Space::memory_space>;

  static constexpr std::int64_t m = 50, n = 40, k = 300;

  Matrix matrix(std::int64_t rows, std::int64_t columns) {
    return Matrix(random_matrix(random_, rows, columns), Matrix::even_margin);
  }

  /// A call must throw a message that has all the parts, and leave the results alone.
  template <class Call>
  void expect_refused(const std::vector<std::string>& parts, const Call& call) {
    Kokkos::deep_copy(C_.view(), 42.0);
    try {
      call();
      FAIL() << "no exception: " << parts.at(0);
    } catch (const std::invalid_argument& error) {
      for (const std::string& part : parts) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
            << '"' << part << "\" is not in: " << error.what();
      }
    }
    for (const double value : C_.values().values) ASSERT_EQ(value, 42.0) << parts.at(0);
  }

  Random random_ = make_random();
  Space exec_;
  const Matrix A_ = matrix(m, k), B_ = matrix(k, n), bias_ = matrix(1, n), C_ = matrix(m, n);
};

TYPED_TEST_SUITE(RunPlan, SpaceCases, CaseName);

TYPED_TEST(RunPlan, ComputesTheSameBitsOfOtherMatrices) {
  using Matrix    = typename TestFixture::Matrix;
  const auto& A   = this->A_;
  const Plan plan = make_plan(this->exec_, A.view(), this->B_.view(), this->C_.view(),
                              Epilogue(Wave{0.1}, this->bias_.row()), {.alpha = 2, .beta = 3});
  for (const double number : {0.5, -1.0, 7.0}) {
    const Matrix other = this->matrix(this->k, this->n), bias = this->matrix(1, this->n);
    const auto before = random_matrix(this->random_, this->m, this->n);
    const Matrix by_plan(before, Matrix::even_margin), without(before, Matrix::even_margin);
    const Epilogue epilogue(Wave{number}, bias.row());
    const GemmOptions options{.alpha = number, .beta = -number};
    gemm(this->exec_, plan, A.view(), other.view(), by_plan.view(), epilogue, options);
    gemm(this->exec_, A.view(), other.view(), without.view(), epilogue, options);
    EXPECT_EQ(by_plan.values().values, without.values().values) << number;
    EXPECT_NE(by_plan.values().values, before.values);
  }
}

TYPED_TEST(RunPlan, ComputesTheSameGradients) {
  using Matrix = typename TestFixture::Matrix;
  const auto n = this->n, m = this->m, k = this->k;
  const Matrix dC = this->matrix(m, n), Z = this->matrix(m, n);
  const GemmBackwardOptions planned_for{.alpha = 3, .dB = Update::accumulate};
  const Matrix dA = this->matrix(m, k), dB = this->matrix(k, n), dbias = this->matrix(1, n);
  const Plan plan = make_plan(this->exec_, dC.view(), this->A_.view(), this->B_.view(), PreActivation(Z.view()),
                              dA.view(), dB.view(), dbias.row(), Wave{0.1}, planned_for);
  const auto old  = random_matrix(this->random_, k, n);
  const GemmBackwardOptions options{.alpha = 0.5, .dB = Update::accumulate};
  std::array<std::vector<HostMatrix>, 2> results;
  for (const bool by_plan : {false, true}) {
    const Matrix other_dA = this->matrix(m, k), other_dB(old, Matrix::even_margin), other_dbias = this->matrix(1, n);
    const auto call = [&](const auto&... plan_or_none) {
      gemm_backward(this->exec_, plan_or_none..., dC.view(), this->A_.view(), this->B_.view(), PreActivation(Z.view()),
                    other_dA.view(), other_dB.view(), other_dbias.row(), Wave{0.3}, options);
    };
    by_plan ? call(plan) : call();
    results[by_plan] = {other_dA.values(), other_dB.values(), other_dbias.values()};
  }
  for (std::size_t r = 0; r < results[0].size(); ++r) EXPECT_EQ(results[0][r].values, results[1][r].values) << r;
}

TYPED_TEST(RunPlan, TakesAWorkspaceAndTheOptionsThatItWasMadeWith) {
  const GemmOptions options{.plan = {.family = "portable", .split_k = 3}};
  const auto &A = this->A_, &B = this->B_, &C = this->C_;
  const Plan plan = make_plan(this->exec_, A.view(), B.view(), C.view(), {}, options);
  ASSERT_EQ(plan.products[0].split_k, 3);
  gemm(this->exec_, A.view(), B.view(), C.view(), {}, options);
  const auto expected = C.values().values;
  typename TestFixture::Bytes workspace("workspace", plan.workspace_bytes()), small("small", 1);
  for (const GemmOptions& given : {options, GemmOptions{}}) {
    Kokkos::deep_copy(C.view(), 42.0);
    gemm(this->exec_, plan, A.view(), B.view(), C.view(), {}, given, workspace);
    EXPECT_EQ(C.values().values, expected);
  }
  this->expect_refused({"the workspace has 1 bytes"},
                       [&] { gemm(this->exec_, plan, A.view(), B.view(), C.view(), {}, options, small); });
  this->expect_refused({"options.plan was family \"portable\", tile 0x0x0, group 0, split_k 3", "split_k 2"}, [&] {
    gemm(this->exec_, plan, A.view(), B.view(), C.view(), {}, {.plan = {.family = "portable", .split_k = 2}});
  });
}

TYPED_TEST(RunPlan, RefusesAnotherCallOfGemm) {
  using View   = typename TestFixture::View;
  const View A = this->A_.view(), B = this->B_.view(), C = this->C_.view();
  const auto bias  = this->bias_.row();
  const auto& exec = this->exec_;
  const Plan plan  = make_plan(exec, A, B, C, Epilogue(Relu(), bias));
  const auto rows  = [](const View& view, int count) {
    return Kokkos::subview(view, Kokkos::pair<int, int>(0, count), Kokkos::ALL());
  };
  const View wide("wide", this->m, this->k + 4);
  const auto part    = Kokkos::subview(wide, Kokkos::ALL(), Kokkos::pair<int, int>(0, static_cast<int>(this->k)));
  const auto refused = [&](const std::vector<std::string>& parts, const auto&... arguments) {
    std::vector<std::string> all = parts;
    all.insert(all.end(), {"Tegula::gemm: ", "the plan was made for another call"});
    this->expect_refused(all, [&] { gemm(exec, plan, arguments...); });
  };
  const Epilogue epilogue(Relu(), bias);
  refused({"op(A) was f64 50x300, strides ", ", and is f64 49x300, strides "}, rows(A, 49), B, rows(C, 49), epilogue);
  refused({"op(A) was f64 50x300, strides ", "is f64 50x300, strides 304 1"}, part, B, C, epilogue);
  refused({"op_a was none, and is transpose"},
          Kokkos::View<double**, Kokkos::LayoutRight, typename TestFixture::Space::memory_space>("transposed", this->k,
                                                                                                 this->m),
          B, C, epilogue, GemmOptions{.op_a = Op::transpose});
  refused({"the bias was f64 ", "and is left out"}, A, B, C, Epilogue(Relu()));
  refused({"the pre-activation was left out", "and is f64 50x40"}, A, B, C,
          Epilogue(Relu(), bias, View("Z", this->m, this->n)));
  refused({"the activation was relu, and is tanh"}, A, B, C, Epilogue(Tanh(), bias));
  refused({"alpha was not 0, and is 0"}, A, B, C, epilogue, GemmOptions{.alpha = 0});
  refused({"beta was 0, and is 0.5"}, A, B, C, epilogue, GemmOptions{.beta = 0.5});
  refused({"compute was native, and is tf32"}, A, B, C, epilogue, GemmOptions{.compute = Compute::tf32});
  for (const PlanOptions& other :
       {PlanOptions{.family = "portable"}, PlanOptions{.tile = {1, 0, 0}}, PlanOptions{.tile = {0, 1, 0}},
        PlanOptions{.tile = {0, 0, 1}}, PlanOptions{.group = 2}, PlanOptions{.split_k = 2}})
    refused({"options.plan was family \"\""}, A, B, C, epilogue, GemmOptions{.plan = other});
  this->expect_refused({"the plan was not made by make_plan"}, [&] { gemm(exec, Plan(), A, B, C, epilogue); });
}

TYPED_TEST(RunPlan, ChecksMemoryAsEver) {
  using View   = typename TestFixture::View;
  const View A = this->A_.view(), B = this->B_.view(), C = this->C_.view();
  const Plan plan = make_plan(this->exec_, A, B, C);
  const View inside(C.data(), this->k, this->n);
  const Kokkos::View<double**, Kokkos::LayoutStride, typename TestFixture::Space::memory_space> over_C(
      C.data(),
      Kokkos::LayoutStride(static_cast<std::size_t>(this->k), B.stride(0), static_cast<std::size_t>(this->n), 1));
  this->expect_refused({"B and C overlap"}, [&] { gemm(this->exec_, plan, A, over_C, C); });
}

TYPED_TEST(RunPlan, RefusesAnotherCallOfGemmBackward) {
  using View          = typename TestFixture::View;
  const auto gradient = this->matrix(this->m, this->n);
  const View A = this->A_.view(), B = this->B_.view(), dC = gradient.view(), C = this->C_.view();
  const View dA("dA", this->m, this->k), dB("dB", this->k, this->n);
  const auto& exec   = this->exec_;
  const Plan plan    = make_plan(exec, dC, A, B, none, dA, dB, none);
  const auto refused = [&](const std::vector<std::string>& parts, const auto&... arguments) {
    std::vector<std::string> all = parts;
    all.insert(all.end(), {"Tegula::gemm_backward: ", "the plan was made for another call"});
    this->expect_refused(all, [&] { gemm_backward(exec, plan, arguments...); });
  };
  refused({"op(dA) was f64 50x300", "is left out"}, dC, A, B, none, none, dB, none);
  refused({"dbias was left out", "is f64 1x40"}, dC, A, B, none, dA, dB, this->bias_.row());
  refused({"saved was left out", "is f64 50x40"}, dC, A, B, Output(C), dA, dB, none);
  refused({"the update of dA was overwrite, and is accumulate"}, dC, A, B, none, dA, dB, none, Identity(),
          GemmBackwardOptions{.dA = Update::accumulate});
  refused({"the update of dB was overwrite, and is accumulate"}, dC, A, B, none, dA, dB, none, Identity(),
          GemmBackwardOptions{.dB = Update::accumulate});
  refused({"the update of dbias was overwrite, and is accumulate"}, dC, A, B, none, dA, dB, none, Identity(),
          GemmBackwardOptions{.dbias = Update::accumulate});
  refused({"the activation was identity, and is gain"}, dC, A, B, none, dA, dB, none, Gain());
  this->expect_refused({"Tegula::gemm: the plan was made for another call: the function was gemm_backward"},
                       [&] { gemm(exec, plan, A, B, C); });
}

TYPED_TEST(RunPlan, RefusesOtherElements) {
  using View   = typename TestFixture::View;
  using Floats = Kokkos::View<float**, Kokkos::LayoutRight, typename TestFixture::Space::memory_space>;
  const View A("A", 8, 8), B("B", 8, 8), C("C", 8, 8);
  const Floats A4("A4", 8, 8), B4("B4", 8, 8), C4("C4", 8, 8);
  const Plan plan = make_plan(this->exec_, A, B, C);
  EXPECT_THROW(gemm(this->exec_, plan, A4, B4, C4), std::invalid_argument);
  gemm(this->exec_, plan, A, B, C);
}

// Kernels for CUDA read runs of up to 16 bytes; on hosts any address will do.
TYPED_TEST(RunPlan, AsksForAsMuchAlignmentAsKernelsRead) {
  using Space   = typename TestFixture::Space;
  using Strided = Kokkos::View<double**, Kokkos::LayoutStride, typename Space::memory_space>;
  const Kokkos::View<double*, typename Space::memory_space> memory("memory", 100);
  const auto at = [&](std::size_t shift) { return Strided(memory.data() + shift, Kokkos::LayoutStride(8, 8, 8, 1)); };
  const Strided aligned = at(0), shifted = at(1);
  const typename TestFixture::View B("B", 8, 8), C("C", 8, 8);
  const Plan of_aligned = make_plan(this->exec_, aligned, B, C), of_shifted = make_plan(this->exec_, shifted, B, C);
  gemm(this->exec_, of_shifted, aligned, B, C);
  if (Impl::has_cuda_families<Space>) {
    this->expect_refused({"op(A) was f64 8x8, strides 8 1, aligned to 16 bytes", "aligned to 8 bytes"},
                         [&] { gemm(this->exec_, of_aligned, shifted, B, C); });
  } else {
    gemm(this->exec_, of_aligned, shifted, B, C);
  }
}

TYPED_TEST(RunPlan, NeedsNoExecutionSpace) {
  using View   = typename TestFixture::View;
  const View A = this->A_.view(), B = this->B_.view(), C = this->C_.view(), dA("dA", this->m, this->k);
  const Plan plan = make_plan(A, B, C), gradients = make_plan(C, A, B, none, dA, none, none);
  gemm(plan, A, B, C);
  const auto expected = this->C_.values().values;
  Kokkos::deep_copy(C, 0.0);
  gemm(plan, A, B, C, {}, {});
  EXPECT_EQ(this->C_.values().values, expected);
  gemm_backward(gradients, C, A, B, none, dA, none, none);
  gemm_backward(gradients, C, A, B, none, dA, none, none, Identity(), {});
}

#ifdef KOKKOS_ENABLE_SERIAL
// Serial kernels of one team are computed by the threads that call.
TEST(Serial_RunPlan, IsSharedByThreads) {
  using Matrix  = DeviceMatrix<Kokkos::Serial, Kokkos::LayoutRight, double>;
  Random random = make_random();
  const Matrix A(random_matrix(random, 8, 8)), B(random_matrix(random, 8, 8)), expected(8, 8);
  const Kokkos::Serial exec;
  gemm(exec, A.view(), B.view(), expected.view());
  const Plan plan = make_plan(exec, A.view(), B.view(), expected.view());
  const std::array<Matrix, 4> results{Matrix(8, 8), Matrix(8, 8), Matrix(8, 8), Matrix(8, 8)};
  std::vector<std::thread> threads;
  for (const Matrix& C : results) {
    threads.emplace_back([&exec, &plan, &A, &B, view = C.view()] {
      for (int repeat = 0; repeat < 1000; ++repeat) gemm(exec, plan, A.view(), B.view(), view);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Matrix& C : results) EXPECT_EQ(C.values().values, expected.values().values);
}
#endif

}  // namespace
}  // namespace Tegula::Test
