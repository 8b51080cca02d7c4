// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestAgainstPortable.hpp"
#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestTypes.hpp"

/// The host family gives what the portable family gives, whatever the shape, the strides, the transposes, the epilogue,
/// the tile and the set of instructions: all are drawn. Only the order of the sums may differ.

namespace Tegula::Test {
namespace {

template <class C>
class Host : public AgainstPortable {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;
  using Matrix = StridedMatrix<Kokkos::HostSpace, Scalar>;

  void TearDown() override { Impl::use(before_); }

  template <class Trial>
  void for_every_instruction_set(const Trial& trial) {
    for (const auto set : {Impl::Instructions::baseline, Impl::Instructions::avx2, Impl::Instructions::avx512}) {
      if (!Impl::has(set)) continue;
      Impl::use(set);
      trial();
      if (HasFailure()) {
        ADD_FAILURE() << "instructions: " << Impl::name(set);
        return;
      }
    }
  }

  // One or a few, or around a multiple of the widths of vectors and register tiles.
  std::int64_t draw_extent() {
    const std::vector<std::int64_t> edges{4, 6, 8, 12, 14, 16, 24, 28, 32, 48, 64, 96, 128};
    if (random_() % 3 == 0) return static_cast<std::int64_t>(1 + random_() % 8);
    return pick(random_, edges) + static_cast<std::int64_t>(random_() % 3) - 1;
  }
  // Every other time few lines, and one dimension that is long for an inner product of them.
  GemmShape draw_shape() {
    if (random_() % 2 == 0) {
      std::array<std::int64_t, 3> extents{static_cast<std::int64_t>(1 + random_() % 8),
                                          static_cast<std::int64_t>(60 + random_() % 200), draw_extent()};
      std::shuffle(extents.begin(), extents.end(), random_);
      return {extents[0], extents[1], extents[2]};
    }
    const GemmShape shape{draw_extent(), draw_extent(), draw_extent()};
    return random_() % 8 == 0 ? GemmShape{shape.m, shape.n, 5 * shape.k + 3} : shape;
  }

  // What the planner chooses, or tiles that cut every dimension several times.
  PlanOptions draw_plan() {
    PlanOptions plan{.family = "host"};
    if (random_() % 2 == 0) {
      const auto part = [&](int most) { return static_cast<int>(1 + random_() % most); };
      plan.tile       = {part(70), part(70), part(40)};
    }
    if (random_() % 4 == 0) plan.split_k = static_cast<int>(2 + random_() % 3);
    return plan;
  }

  Matrix stored(Op op, std::int64_t rows, std::int64_t columns, bool poisoned = false) {
    return op == Op::none ? Matrix(random_, rows, columns, poisoned) : Matrix(random_, columns, rows, poisoned);
  }

  const Impl::Instructions before_ = Impl::host_instructions();
};

using HostCases = typename GoogleTypes<
    typename Cases<HostSpaces, TypeList<Kokkos::LayoutRight>, TypeList<double, float, Bfloat16>>::type>::type;
TYPED_TEST_SUITE(Host, HostCases, CaseName);

/// Calls function(activation) with one that the library brings, or one of a user's.
template <class Function>
void run_with_one_of(int number, const Function& function) {
  switch (number % 6) {
    case 0:
      return function(Identity());
    case 1:
      return function(Relu());
    case 2:
      return function(LeakyRelu(0.3));
    case 3:
      return function(Tanh());
    case 4:
      return function(GeluTanh());
    default:
      function(Wave());
  }
}

/// Counts inner products that were planned: those that read their left operand in place, those that read their right
/// one so, those that read both, and those that also sum lines. There are some, unless elements must be converted
/// before they are multiplied.
template <class Scalar>
struct InnerProducts {
  static constexpr bool expected = std::is_same_v<Scalar, accumulator_t<Scalar>>;
  int left = 0, right = 0, both = 0, summing = 0;

  void add(const Plan& plan) {
    for (const ProductPlan& product : plan.products) {
      if (!product.inner) continue;
      left += !product.packs_left;
      right += !product.packs_right;
      both += !product.packs_left && !product.packs_right;
      if (product.sums_rows) ++summing;
    }
  }
};

TYPED_TEST(Host, GemmIsWhatThePortableFamilyComputes) {
  using Scalar = typename TestFixture::Scalar;
  using Space  = typename TestFixture::Space;
  using Matrix = typename TestFixture::Matrix;
  this->for_every_instruction_set([&] {
    InnerProducts<Scalar> inner;
    for (int number = 0; number < 500; ++number) {
      Random& random            = this->random_;
      const GemmShape shape     = this->draw_shape();
      const GemmOptions options = this->draw_gemm_options(this->draw_plan());
      const GemmTrial<Space, Scalar, Scalar, Scalar> trial{number,
                                                           shape,
                                                           options,
                                                           this->stored(options.op_a, shape.m, shape.k),
                                                           this->stored(options.op_b, shape.k, shape.n),
                                                           Matrix(random, 1, shape.n),
                                                           Matrix(random, shape.m, shape.n, options.beta == 0),
                                                           Matrix(random, shape.m, shape.n, true)};
      inner.add(make_plan(Space(), trial.A.view(), trial.B.view(), trial.C.view(), {}, options));
      run_with_one_of(number / 4, [&](const auto& activation) { trial.run(activation); });
      ASSERT_TRUE(trial.agrees(1));
    }
    EXPECT_EQ(inner.left > 0, inner.expected);
    EXPECT_EQ(inner.right > 0, inner.expected);
    EXPECT_EQ(inner.both > 0, inner.expected);
  });
}

TYPED_TEST(Host, GemmBackwardIsWhatThePortableFamilyComputes) {
  using Scalar = typename TestFixture::Scalar;
  using Space  = typename TestFixture::Space;
  using Matrix = typename TestFixture::Matrix;
  this->for_every_instruction_set([&] {
    InnerProducts<Scalar> inner;
    // Of 400 calls about six sum lines. Whoever draws none draws on.
    for (int number = 0; number < 400 || (number < 4000 && inner.summing == 0); ++number) {
      Random& random                    = this->random_;
      const GemmShape shape             = this->draw_shape();
      const GemmBackwardOptions options = this->draw_backward_options(this->draw_plan());
      const BackwardTrial<Space, Scalar, Scalar, Scalar> trial{
          number,
          shape,
          options,
          this->stored(options.op_a, shape.m, shape.k),
          this->stored(options.op_b, shape.k, shape.n),
          Matrix(random, shape.m, shape.n),
          Matrix(random, shape.m, shape.n),
          this->stored(options.op_a, shape.m, shape.k, options.dA == Update::overwrite),
          this->stored(options.op_b, shape.k, shape.n, options.dB == Update::overwrite),
          Matrix(random, 1, shape.n, options.dbias == Update::overwrite)};
      const auto observe = [&](const Plan& plan) { inner.add(plan); };
      run_with_one_of(number / 5, [&](const auto& activation) { trial.run(activation, observe); });
      ASSERT_TRUE(trial.agrees(1, 0));
    }
    // dZ is formed as accumulators, whatever dC is, and can be read in place then.
    EXPECT_GT(inner.left, 0);
    EXPECT_GT(inner.summing, 0);
    EXPECT_EQ(inner.right > 0, inner.expected);
  });
}

// Which the planner chooses for large products and many threads only.
TYPED_TEST(Host, TeamsOfSeveralThreadsShareATile) {
  using Scalar = typename TestFixture::Scalar;
  using Space  = typename TestFixture::Space;
  using Matrix = typename TestFixture::Matrix;
  const Space exec;
  if (exec.concurrency() < 2) GTEST_SKIP() << "one thread";
  const auto run = [&](const Impl::CheckedCall& checked, const PlanOptions& options) {
    Plan plan    = Impl::plan_call(exec, checked, options);
    plan.threads = 2;
    Impl::run_plan(exec, checked.call, plan, nullptr);
  };
  for (int trial = 0; trial < 100; ++trial) {
    Random& random        = this->random_;
    const GemmShape shape = this->draw_shape();
    const PlanOptions plan{.family = "host", .tile = {61, 67, 31}, .split_k = 1}, portable{.family = "portable"};
    Matrix A(random, shape.m, shape.k), B(random, shape.k, shape.n), dC(random, shape.m, shape.n);
    Matrix C(random, shape.m, shape.n, true), dA(random, shape.m, shape.k, true), dB(random, shape.k, shape.n, true);
    Matrix dbias(random, 1, shape.n, true);
    const auto results = [&] { return std::vector<HostMatrix>{C.values(), dA.values(), dB.values(), dbias.values()}; };
    run(Impl::checked_gemm<Space>(A.view(), B.view(), C.view(), Epilogue<>(), {}), plan);
    run(Impl::checked_gemm_backward<Space>(dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), dbias.row(),
                                           Identity(), {}),
        plan);
    const std::vector<HostMatrix> actual = results();
    gemm(exec, A.view(), B.view(), C.view(), {}, {.plan = portable});
    gemm_backward(exec, dC.view(), A.view(), B.view(), none, dA.view(), dB.view(), dbias.row(), Identity(),
                  {.plan = portable});
    const std::vector<HostMatrix> expected = results();
    const std::vector<std::int64_t> summed{shape.k, shape.n, shape.m, shape.m};  // products of at most 1
    for (std::size_t r = 0; r < actual.size(); ++r) {
      const HostMatrix gauge(actual[r].rows, actual[r].columns, static_cast<double>(summed[r]));
      ASSERT_TRUE(compare(actual[r], expected[r], twice_allowed<Scalar>(expected[r], gauge, 1)))
          << "result " << r << " of " << text_of(shape);
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
