// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_HostInstructions.hpp>

#include "Tegula_TestReference.hpp"
#include "Tegula_TestTypes.hpp"

/// B packed beforehand: the product of B, on every space, layout and set of instructions; a handle that does not fit a
/// call is refused before anything is written.

namespace Tegula::Test {
namespace {

template <class C>
class Packed : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;
  using Matrix = DeviceMatrix<Space, Kokkos::LayoutRight, Scalar>;

  static constexpr bool is_host = Impl::is_done_at_return<Space>;

  void TearDown() override { Impl::use(before_); }

  /// Hosts run a trial with each set of instructions that the processor has, other spaces once.
  template <class Trial>
  void for_every_instruction_set(const Trial& trial) const {
    for (const auto set : {Impl::Instructions::baseline, Impl::Instructions::avx2, Impl::Instructions::avx512}) {
      if (!Impl::has(set) || (!is_host && set != before_)) continue;
      SCOPED_TRACE(Impl::name(set));
      Impl::use(set);
      trial();
    }
  }

  Matrix draw(std::int64_t rows, std::int64_t columns) { return Matrix(random_matrix(random_, rows, columns)); }

  template <class BLayout, class CLayout>
  void expect_layer(const GemmShape& s, Op op_b, const PlanOptions& plan = {}) {
    const bool flips        = op_b == Op::transpose;
    const std::string where = std::to_string(s.m) + 'x' + std::to_string(s.n) + 'x' + std::to_string(s.k);
    const Matrix A = draw(s.m, s.k), bias = draw(1, s.n);
    const DeviceMatrix<Space, BLayout, Scalar> B(random_matrix(random_, flips ? s.n : s.k, flips ? s.k : s.n));
    const DeviceMatrix<Space, CLayout, Scalar> C_(random_matrix(random_, s.m, s.n)), Z(s.m, s.n);
    Reference z = reference_product(0.5, A.values(), apply(op_b, B.values()));
    add(z, 1, C_.values());
    add_row(z, bias.values());
    const auto packed = pack(Space(), B.const_view(), op_b);
    if (is_host && packed.bytes() > 0) Kokkos::deep_copy(B.view(), Scalar(0));  // the handle holds its numbers
    gemm(Space(), A.const_view(), packed, C_.view(), Epilogue(Tanh(), bias.row(), Z.view()),
         {.op_b = op_b, .alpha = 0.5, .beta = 1, .plan = plan});
    ASSERT_TRUE(matches<Scalar>(Z.values(), z)) << where;
    ASSERT_TRUE(matches_activated<Scalar>(C_.values(), z, Tanh())) << where;
    ASSERT_TRUE(C_.surroundings_untouched() && Z.surroundings_untouched()) << where;
  }

  template <class Call>
  void expect_refused(const Matrix& C_, const std::vector<std::string>& parts, const Call& call) const {
    Kokkos::deep_copy(C_.view(), Scalar(42));
    try {
      call();
      FAIL() << "no exception: " << parts.at(0);
    } catch (const std::invalid_argument& error) {
      for (const std::string& part : parts)
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " is not in: " << error.what();
    }
    for (const double value : C_.values().values) ASSERT_EQ(value, 42) << parts.at(0);
  }

  Random random_                   = make_random();
  const Impl::Instructions before_ = Impl::host_instructions();
};

TYPED_TEST_SUITE(Packed, SpaceScalarCases, CaseName);

TYPED_TEST(Packed, StandsForB) {
  using Right = Kokkos::LayoutRight;
  using Left  = Kokkos::LayoutLeft;
  this->for_every_instruction_set([&] {
    for (const std::int64_t n : {1, 7, 16, 31, 32, 33, 100})
      for (const auto& [m, k] : {std::pair(1, 40), std::pair(5, 1), std::pair(29, 65)}) {
        this->template expect_layer<Right, Right>({m, n, k}, Op::none);
        this->template expect_layer<Right, Right>({m, n, k}, Op::transpose);
        this->template expect_layer<Left, Left>({m, n, k}, Op::none);
        this->template expect_layer<Kokkos::LayoutStride, Right>({m, n, k}, Op::transpose);
      }
    this->template expect_layer<Right, Right>({40, 300, 1100}, Op::none);  // several steps
  });
}

TYPED_TEST(Packed, IsCutInEveryWay) {
  using Right = Kokkos::LayoutRight;
  if (!TestFixture::is_host) GTEST_SKIP() << "other spaces have other tiles";
  this->for_every_instruction_set([&] {
    this->template expect_layer<Right, Right>({70, 100, 90}, Op::none, {.tile = {33, 64, 20}});
    this->template expect_layer<Right, Right>({70, 100, 90}, Op::none, {.tile = {33, 64, 20}, .split_k = 3});
    this->template expect_layer<Right, Right>({70, 100, 90}, Op::none, {.tile = {70, 101, 90}});
    this->template expect_layer<Kokkos::LayoutLeft, Kokkos::LayoutLeft>({70, 100, 90}, Op::transpose, {.split_k = 2});
  });
}

TYPED_TEST(Packed, MayBeEmptyOrNotRead) {
  using Space    = typename TestFixture::Space;
  using Matrix   = typename TestFixture::Matrix;
  const Matrix A = this->draw(3, 0), B = this->draw(0, 4), C_ = this->draw(3, 4);
  const auto packed = pack(Space(), B.view());
  EXPECT_EQ(packed.bytes(), 0u);
  gemm(Space(), A.view(), packed, C_.view());
  for (const double value : C_.values().values) EXPECT_EQ(value, 0);
  const Matrix E = this->draw(3, 5), F = this->draw(5, 4);
  gemm(Space(), E.view(), pack(Space(), F.view()), C_.view(), {}, {.alpha = 0});
  for (const double value : C_.values().values) EXPECT_EQ(value, 0);
}

TYPED_TEST(Packed, HasAPlanThatIsNotThatOfB) {
  using Space    = typename TestFixture::Space;
  using Matrix   = typename TestFixture::Matrix;
  const Matrix A = this->draw(20, 50), B = this->draw(50, 40), other = this->draw(50, 40), C_ = this->draw(20, 40),
               D    = this->draw(20, 40);
  const auto packed = pack(Space(), B.view()), packed_other = pack(Space(), other.view());
  const Plan plan = make_plan(Space(), A.view(), packed, C_.view());
  gemm(Space(), plan, A.view(), packed_other, C_.view());
  gemm(Space(), A.view(), packed_other, D.view());
  EXPECT_EQ(C_.values().values, D.values().values);
  const Matrix E = this->draw(20, 40);
  gemm(A.view(), pack(other.view()), E.view());  // on the default instance
  EXPECT_TRUE(matches<typename TestFixture::Scalar>(E.values(), reference_product(1, A.values(), other.values())));
  if (packed.bytes() == 0) return;  // it is the same
  EXPECT_NE(describe(Space(), A.view(), packed, C_.view()).find("right packed beforehand"), std::string::npos);
  this->expect_refused(C_, {"panel of B, packed beforehand", "and is 0"},
                       [&] { gemm(Space(), plan, A.view(), B.view(), C_.view()); });
}

TYPED_TEST(Packed, IsRefusedWithAnotherOp) {
  using Space  = typename TestFixture::Space;
  const auto A = this->draw(6, 6), B = this->draw(6, 6), C_ = this->draw(6, 6);
  const auto packed = pack(Space(), B.view(), Op::transpose);
  this->expect_refused(C_, {"gemm", "packed with op_b = transpose", "options.op_b is none", "6x6"},
                       [&] { gemm(Space(), A.view(), packed, C_.view()); });
}

TYPED_TEST(Packed, IsRefusedOfOtherExtents) {
  using Space  = typename TestFixture::Space;
  const auto A = this->draw(6, 5), B = this->draw(6, 7), C_ = this->draw(6, 7);
  const auto packed = pack(Space(), B.view());
  this->expect_refused(C_, {"op(A) is 6x5, op(B) is 6x7"}, [&] { gemm(Space(), A.view(), packed, C_.view()); });
}

TYPED_TEST(Packed, IsRefusedByKernelsForOtherInstructions) {
  using Space = typename TestFixture::Space;
  if (!TestFixture::is_host || !Impl::has(Impl::Instructions::avx2)) GTEST_SKIP() << "one set of instructions";
  const auto A = this->draw(20, 50), B = this->draw(50, 40), C_ = this->draw(20, 40);
  Impl::use(Impl::Instructions::avx2);
  const auto packed = pack(Space(), B.view());
  const Plan plan   = make_plan(Space(), A.view(), packed, C_.view());
  Impl::use(Impl::Instructions::baseline);
  this->expect_refused(C_, {"gemm", "packed in panels of", "kernels for baseline read"},
                       [&] { gemm(Space(), A.view(), packed, C_.view()); });
  this->expect_refused(C_, {"gemm", "packed in panels of", "kernels for baseline read"},
                       [&] { gemm(Space(), plan, A.view(), packed, C_.view()); });
  Impl::use(Impl::Instructions::avx2);
  this->expect_refused(C_, {"20x33x50", "whole panels of B"}, [&] {
    gemm(Space(), A.view(), packed, C_.view(), {}, {.plan = {.tile = {20, 33, 50}}});
  });
}

}  // namespace
}  // namespace Tegula::Test
