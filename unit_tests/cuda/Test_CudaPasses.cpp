// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestAgainstPortable.hpp"
#include "Tegula_TestBackward.hpp"
#include "Tegula_TestTools.hpp"

/// Calls whose types or activation the kernels of a product do not take: operands are widened and results finished by
/// elementwise passes. Whatever the shape, the layouts, the transposes and the epilogue, they are within the bounds of
/// the contract, by the kernels that the planner chooses and by those that compute large products. Needs a GPU of
/// compute capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

class CudaPasses : public AgainstPortable {
 protected:
  template <class Scalar>
  using Matrix = StridedMatrix<Space::memory_space, Scalar>;

  void SetUp() override {
    if (Space().cuda_device_prop().major < 8) GTEST_SKIP() << "needs a GPU of compute capability 8.0 or newer";
  }

  std::int64_t draw_extent() {
    if (random_() % 4 == 0) return static_cast<std::int64_t>(1 + random_() % 9);
    return pick(random_, std::vector<std::int64_t>{4, 8, 16, 32, 64, 72, 128, 136, 200}) +
           static_cast<std::int64_t>(random_() % 3) - 1;
  }

  template <class Scalar>
  Matrix<Scalar> matrix(Op op, std::int64_t rows, std::int64_t columns, bool poisoned = false) {
    if (op == Op::transpose) std::swap(rows, columns);
    return Matrix<Scalar>(random_, rows, columns, poisoned, random_() % 3 == 0 ? 1 : 8);
  }

  /// Tensor cores truncate sums of 16-bit products.
  template <class A, class B>
  static double sum_factor(std::int64_t k) {
    return sizeof(A) == 2 && std::is_same_v<A, B> ? 1 + static_cast<double>(k) / 64 : 1;
  }

  /// Whose kernels compute large products of such operands, when they have been widened.
  template <class A, class B>
  static const char* family() {
    return std::is_same_v<A, B> && sizeof(A) != 4 ? "mma" : "simt";
  }

  /// One drawn call: C = act(alpha A B + beta C + bias), with or without bias and Z.
  template <class A, class B, class C, class Bias, class Z, class Activation>
  void expect_one(const Activation& activation, int number) {
    const std::int64_t m = draw_extent(), n = draw_extent(), k = draw_extent();
    const bool is_asked = number / 4 % 2 == 0;
    GemmOptions options = draw_gemm_options(is_asked ? PlanOptions{.family = family<A, B>()} : PlanOptions());
    const auto a        = matrix<A>(options.op_a, m, k);
    const auto b        = matrix<B>(options.op_b, k, n);
    const auto c        = matrix<C>(Op::none, m, n, options.beta == 0);
    const auto z        = matrix<Z>(Op::none, m, n, true);
    const Matrix<Bias> bias(random_, 1, n);
    Reference reference =
        reference_product(options.alpha, apply(options.op_a, a.values()), apply(options.op_b, b.values()));
    for (double& gauge : reference.gauge.values) gauge *= sum_factor<A, B>(k);
    if (options.beta != 0) add(reference, options.beta, c.values());
    const auto run = [&](const auto& epilogue) {
      const Plan plan = make_plan(Space(), a.view(), b.view(), c.view(), epilogue, options);
      if (is_asked && options.alpha != 0) {  // which leaves nothing to widen
        EXPECT_TRUE(plan.products[0].passes.any()) << plan.text();
      }
      gemm(Space(), a.view(), b.view(), c.view(), epilogue, options);
    };
    const bool has_bias = number % 4 == 1 || number % 4 == 2, has_Z = number % 4 >= 2;
    if (has_bias) add_row(reference, bias.values());
    if (has_bias && has_Z) run(Epilogue(activation, bias.row(), z.view()));
    if (has_bias && !has_Z) run(Epilogue(activation, bias.row()));
    if (!has_bias && has_Z) run(Epilogue(activation, none, z.view()));
    if (!has_bias && !has_Z) run(Epilogue(activation));
    const std::string what = text_of({m, n, k}, options, number);
    ASSERT_TRUE(matches_activated<C>(c.values(), reference, activation)) << what;
    ASSERT_TRUE(c.surroundings_untouched() && z.surroundings_untouched()) << what;
    if (has_Z) {
      ASSERT_TRUE(matches<Z>(z.values(), reference)) << "Z, " << what;
    }
  }

  /// dbias alone, of matrices that lie in any way. The pass sums columns in parts, of one step of threads or of many.
  template <class Scalar, class SavedScalar, class Activation>
  void expect_column_sums(const Activation& activation) {
    for (const std::int64_t n : {1, 2, 7, 8, 9, 10, 16, 17, 31, 33, 64, 100, 129, 256, 257, 300}) {
      for (const std::int64_t m : {1, 6, 127, 130, 1000, 4099}) {
        const bool adds = random_() % 2 == 0;
        const auto dC   = matrix<Scalar>(Op::none, m, n);
        const auto A = matrix<Scalar>(Op::none, m, 1), B = matrix<Scalar>(Op::none, 1, n);
        const auto saved = matrix<SavedScalar>(Op::none, m, n);
        const Matrix<Scalar> dbias(random_, 1, n, !adds);
        Reference expected =
            reference_gradients(reference_dZ(dC.values(), saved.values(), activation), A.values(), B.values(), 1).dbias;
        if (adds) add(expected, 1, dbias.values());
        gemm_backward(Space(), dC.view(), A.view(), B.view(), saved_in(saved.view(), activation), none, none,
                      dbias.row(), activation, {.dbias = adds ? Update::accumulate : Update::overwrite});
        ASSERT_TRUE(matches<Scalar>(dbias.values(), expected)) << m << ' ' << n;
        ASSERT_TRUE(dbias.surroundings_untouched()) << m << ' ' << n;
      }
    }
  }

  template <class A, class B, class C, class Bias, class Z, class Activation>
  void expect(const Activation& activation, int trials = 60) {
    for (int number = 0; number < trials && !HasFatalFailure(); ++number)
      expect_one<A, B, C, Bias, Z>(activation, number);
  }
};

TEST_F(CudaPasses, FinishOwnActivationsIn16Bits) {
  expect<bhalf_t, bhalf_t, bhalf_t, bhalf_t, bhalf_t>(Wave{0.2});
  expect<half_t, half_t, float, float, half_t>(Softsign());
}
TEST_F(CudaPasses, FinishOwnActivationsInPlace) {
  expect<float, float, float, float, float>(Wave{-0.1});
  expect<double, double, double, double, double>(Softsign());
}
TEST_F(CudaPasses, FinishResultsOfOtherTypes) {
  expect<float, float, bhalf_t, float, float>(Relu());
  expect<float, float, half_t, half_t, bhalf_t>(LeakyRelu(0.3));
  expect<bhalf_t, bhalf_t, half_t, float, half_t>(Identity());
}
TEST_F(CudaPasses, WidenOperands) {
  expect<bhalf_t, float, float, float, float>(Relu());
  expect<float, half_t, float, float, float>(Identity());
  expect<half_t, bhalf_t, bhalf_t, half_t, float>(Sigmoid());
}

// In one pass of its own: what the built-in one gives, bit by bit.
struct OwnRelu {
  static constexpr Saved saved      = Saved::output;
  static constexpr const char* name = "own_relu";
  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return Relu()(z);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T y) const {
    return Relu().derivative(y);
  }
};

TEST_F(CudaPasses, GiveTheBitsOfAFusedActivation) {
  const Matrix<bhalf_t> A(random_, 200, 136, false, 8), B(random_, 136, 264, false, 8);
  const Matrix<bhalf_t> C(random_, 200, 264, true, 8), fused(random_, 200, 264, true, 8);
  const GemmOptions options{.plan = {.family = "mma", .tile = {64, 64, 32}, .split_k = 1}};
  gemm(Space(), A.view(), B.view(), C.view(), Epilogue(OwnRelu()), options);
  gemm(Space(), A.view(), B.view(), fused.view(), Epilogue(Relu()), options);
  EXPECT_TRUE(are_same(C.values(), fused.values()));
}

TEST_F(CudaPasses, FormTheGradientOfOwnActivations) {
  const std::int64_t m = 320, n = 264, k = 264;
  const Matrix<bhalf_t> A(random_, m, k, false, 8), B(random_, k, n, false, 8), dC(random_, m, n, false, 8),
      Y(random_, m, n, false, 8);
  const Matrix<bhalf_t> dA(random_, m, k, true, 8), dB(random_, k, n, true, 8), fused_dA(dA), fused_dB(dB);
  const Matrix<float> dbias(random_, 1, n, true), fused_dbias(dbias);
  const auto run = [&](const auto& activation, const auto& da, const auto& db, const auto& bias) {
    gemm_backward(Space(), dC.view(), A.view(), B.view(), Output(Y.view()), da.view(), db.view(), bias.row(),
                  activation, {.plan = {.family = "mma"}});
  };
  run(OwnRelu(), dA, dB, dbias);
  run(Relu(), fused_dA, fused_dB, fused_dbias);
  EXPECT_TRUE(are_same(dA.values(), fused_dA.values()));
  EXPECT_TRUE(are_same(dB.values(), fused_dB.values()));
  EXPECT_TRUE(are_same(dbias.values(), fused_dbias.values()));
}

TEST_F(CudaPasses, SumColumnsOfAnyWidth) {
  expect_column_sums<bhalf_t, bhalf_t>(Relu());
  expect_column_sums<half_t, half_t>(Tanh());
  expect_column_sums<float, float>(LeakyRelu(0.25));
  expect_column_sums<double, double>(Relu());
}
// What was saved is of another type, and read by elements.
TEST_F(CudaPasses, SumColumnsOfAnyWidthByElements) { expect_column_sums<bhalf_t, float>(Relu()); }

// Each has its own label for Kokkos' tools.
TEST_F(CudaPasses, AreSeenByTools) {
  const Kokkos::View<bhalf_t**, Kokkos::LayoutRight, Space> A("A", 128, 128);
  const Kokkos::View<float**, Kokkos::LayoutRight, Space> B("B", 128, 128);
  const Kokkos::View<half_t**, Kokkos::LayoutRight, Space> C("C", 128, 128);
  const GemmOptions options{.plan = {.family = "simt", .split_k = 1}};
  const auto seen = record([&] { gemm(Space(), A, B, C, Epilogue(Wave()), options); }).launches;
  const auto ends = [&](const std::string& end) {
    return std::count_if(seen.begin(), seen.end(), [&](const auto& launch) {
      return launch.label.size() >= end.size() && launch.label.substr(launch.label.size() - end.size()) == end;
    });
  };
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(ends("[widen left]"), 1);
  EXPECT_EQ(ends("[finish]"), 1);
}

}  // namespace
}  // namespace Tegula::Test
