// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestAgainstPortable.hpp"
#include "Tegula_TestTypes.hpp"

/// The wgmma family gives what the portable family gives, whatever the shape, the layouts, the transposes, the
/// epilogue, the tile and the split: all are drawn. Needs a Hopper GPU, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

/// Input and output type.
template <class InputType, class OutputType>
struct Types {
  using Input  = InputType;
  using Output = OutputType;
};

template <class T>
class Wgmma : public AgainstPortable {
 protected:
  using Input        = typename T::Input;
  using Output       = typename T::Output;
  using InputMatrix  = StridedMatrix<Space::memory_space, Input>;
  using OutputMatrix = StridedMatrix<Space::memory_space, Output>;

  void SetUp() override {
    const int major = Space().cuda_device_prop().major;
    if (major != 9) GTEST_SKIP() << "compute capability " << major << ", not 9";
    if (Kokkos::TeamPolicy<Space>::scratch_size_max(0) < 200000) GTEST_SKIP() << "this Kokkos has too little scratch";
  }

  // One or a few, or around a multiple of the widths of tiles and of what the copy engine moves.
  std::int64_t draw_extent() {
    const std::vector<std::int64_t> edges{8, 16, 56, 64, 72, 120, 128, 136, 192, 256, 264, 320};
    if (random_() % 4 == 0) return static_cast<std::int64_t>(1 + random_() % 9);
    return pick(random_, edges) + static_cast<std::int64_t>(random_() % 3) - 1;
  }
  GemmShape draw_shape() {
    const GemmShape shape{draw_extent(), draw_extent(), draw_extent()};
    return random_() % 4 == 0 ? GemmShape{shape.m, shape.n, 3 * shape.k + 5} : shape;
  }
  // What the planner chooses, or any tile, and splits.
  PlanOptions draw_plan() {
    PlanOptions plan{.family = "wgmma"};
    const std::vector<TileShape> tiles{{}, {128, 256, 64}, {128, 192, 64}, {128, 128, 64}, {128, 64, 64}, {64, 64, 64}};
    plan.tile = pick(random_, tiles);
    if (random_() % 4 == 0) plan.split_k = static_cast<int>(2 + random_() % 3);
    if (random_() % 4 == 0) plan.group = static_cast<int>(1 + random_() % 3);
    return plan;
  }

  // Taken by the copy engine as it lies, or copied first.
  InputMatrix operand(Op op, std::int64_t rows, std::int64_t columns) {
    const std::int64_t alignment = random_() % 3 == 0 ? 1 : 8;
    return op == Op::none ? InputMatrix(random_, rows, columns, false, alignment)
                          : InputMatrix(random_, columns, rows, false, alignment);
  }
  // Stored by the copy engine, or by threads where it cannot.
  OutputMatrix output(std::int64_t rows, std::int64_t columns, bool poisoned) {
    return OutputMatrix(random_, rows, columns, poisoned, random_() % 3 == 0 ? 1 : 8);
  }

  /// The tensor cores cut off what does not fit the sum after every 16 steps, where rounding would err half as much; so
  /// the bound of the contract grows with k.
  static double tensor_core_factor(std::int64_t k) { return 1 + static_cast<double>(k) / 64; }
};

using WgmmaTypes =
    testing::Types<Types<bhalf_t, bhalf_t>, Types<half_t, half_t>, Types<bhalf_t, float>, Types<half_t, float>>;

struct TypesName {
  template <class T>
  static std::string GetName(int) {
    return std::string(ScalarTraits<typename T::Input>::name) + '_' + ScalarTraits<typename T::Output>::name;
  }
};
TYPED_TEST_SUITE(Wgmma, WgmmaTypes, TypesName);

TYPED_TEST(Wgmma, GemmIsWhatThePortableFamilyComputes) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  for (int number = 0; number < 400; ++number) {
    const GemmShape shape     = this->draw_shape();
    const GemmOptions options = this->draw_gemm_options(this->draw_plan());
    const GemmTrial<Space, Input, Output, float> trial{
        number,
        shape,
        options,
        this->operand(options.op_a, shape.m, shape.k),
        this->operand(options.op_b, shape.k, shape.n),
        StridedMatrix<Space::memory_space, float>(this->random_, 1, shape.n),
        this->output(shape.m, shape.n, options.beta == 0),
        this->output(shape.m, shape.n, true)};
    switch (number % 4) {
      case 0:
        trial.run(Identity());
        break;
      case 1:
        trial.run(Relu());
        break;
      case 2:
        trial.run(LeakyRelu(0.25));
        break;
      default:
        trial.run(GeluTanh());
    }
    ASSERT_TRUE(trial.agrees(this->tensor_core_factor(shape.k)));
  }
}

TYPED_TEST(Wgmma, GemmBackwardIsWhatThePortableFamilyComputes) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  for (int number = 0; number < 400; ++number) {
    const GemmShape shape             = this->draw_shape();
    const GemmBackwardOptions options = this->draw_backward_options(this->draw_plan());
    const auto gradient_of            = [&](Op op, std::int64_t rows, std::int64_t columns, Update update) {
      const bool poisoned = update == Update::overwrite;
      return op == Op::none ? this->output(rows, columns, poisoned) : this->output(columns, rows, poisoned);
    };
    const BackwardTrial<Space, Input, Output, float> trial{
        number,
        shape,
        options,
        this->operand(options.op_a, shape.m, shape.k),
        this->operand(options.op_b, shape.k, shape.n),
        this->operand(Op::none, shape.m, shape.n),
        this->operand(Op::none, shape.m, shape.n),
        gradient_of(options.op_a, shape.m, shape.k, options.dA),
        gradient_of(options.op_b, shape.k, shape.n, options.dB),
        StridedMatrix<Space::memory_space, float>(this->random_, 1, shape.n, options.dbias == Update::overwrite)};
    const auto ignore = [](const Plan&) {};
    // Of the derivatives those of Tanh alone are not 0 and 1, so that dZ is rounded.
    double dZ_error = 0;
    switch (number / 5 % 3) {
      case 0:
        trial.run(Identity(), ignore);
        break;
      case 1:
        trial.run(Relu(), ignore);
        break;
      default:
        trial.run(Tanh(), ignore);
        dZ_error = ScalarTraits<Input>::unit_roundoff;
    }
    const double factor = this->tensor_core_factor(std::max(shape.m, shape.n));
    ASSERT_TRUE(trial.agrees(factor, dZ_error)) << "activation " << number / 5 % 3;
  }
}

// dC passes for dZ where the derivative is 1 and the copy engine takes it; a bias gradient alone has no product.
TYPED_TEST(Wgmma, FormsTheGradientFirstOnlyIfItMust) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  const Kokkos::View<Input**, Kokkos::LayoutRight, Space> dC("dC", 1024, 1024), A("A", 1024, 1024);
  const Kokkos::View<Output**, Kokkos::LayoutRight, Space> dA("dA", 1024, 1024);
  const Kokkos::View<float*, Space> dbias("dbias", 1024);
  const auto plan_of = [&](const auto& da, const auto& bias, const auto& activation) {
    return make_plan(Space(), dC, A, A, dC, da, none, bias, activation, {.plan = {.family = "wgmma"}});
  };
  EXPECT_EQ(plan_of(dA, none, Identity()).gradient.teams(), 0);
  EXPECT_EQ(plan_of(dA, none, Identity()).workspace_bytes(), 0u);
  const Plan sums = plan_of(dA, dbias, Identity()), dZ = plan_of(dA, none, Relu()),
             alone = plan_of(none, dbias, Relu());
  EXPECT_TRUE(sums.gradient.sums_columns && !sums.gradient.stores_dZ);
  EXPECT_TRUE(dZ.gradient.stores_dZ && !dZ.gradient.sums_columns);
  EXPECT_GE(dZ.workspace_bytes(), 1024u * 1024u * sizeof(Input));
  EXPECT_TRUE(alone.gradient.sums_columns && !alone.gradient.stores_dZ);
  EXPECT_EQ(alone.teams(), 0);
}

TYPED_TEST(Wgmma, PropagatesNanThroughRelu) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", 64, 64), B("B", 64, 64);
  Kokkos::View<Output**, Kokkos::LayoutRight, Space> C("C", 64, 64);
  auto host = Kokkos::create_mirror(A);
  for (int i = 0; i < 64; ++i) host(i, i) = from_double<Input>(-1);
  host(5, 5) = from_double<Input>(std::numeric_limits<double>::quiet_NaN());
  Kokkos::deep_copy(A, host);
  host(5, 5) = from_double<Input>(1);
  Kokkos::deep_copy(B, host);
  gemm(Space(), A, B, C, Epilogue(Relu()), {.plan = {.family = "wgmma"}});
  auto result = Kokkos::create_mirror(C);
  Kokkos::deep_copy(result, C);
  EXPECT_TRUE(std::isnan(to_double(result(5, 5))));
  EXPECT_EQ(to_double(result(6, 6)), 1);
  EXPECT_EQ(to_double(result(6, 7)), 0);
}

// What the copy engine cannot take is copied where that is worth it; small products take another family.
TYPED_TEST(Wgmma, CopiesWhatTheEngineCannotTakeIfItIsLarge) {
  using Input        = typename TestFixture::Input;
  using View         = Kokkos::View<Input**, Kokkos::LayoutRight, Space>;
  const auto plan_of = [](int n, int pad) {
    const View A("A", n, n + pad), B("B", n + pad, n), C("C", n, n);
    return make_plan(Space(), A, B, C);
  };
  const Plan large = plan_of(1024, 3), small = plan_of(64, 3), aligned = plan_of(64, 8);
  EXPECT_STREQ(large.family, "wgmma");
  EXPECT_GT(large.products[0].left_copy_bytes, 0u);
  EXPECT_EQ(large.products[0].right_copy_bytes, 0u);
  EXPECT_GE(large.workspace_bytes(), large.products[0].left_copy_bytes);
  EXPECT_STREQ(small.family, "portable");
  EXPECT_STREQ(aligned.family, "wgmma");
  EXPECT_EQ(aligned.workspace_bytes(), 0u);
}

TYPED_TEST(Wgmma, TakesALineThatIsRepeated) {
  using Input     = typename TestFixture::Input;
  using Output    = typename TestFixture::Output;
  const auto line = random_matrix(this->random_, 1, 72), b = random_matrix(this->random_, 72, 40);
  const DeviceMatrix<Space, Kokkos::LayoutRight, Input> row(line), B(b);
  const Kokkos::View<const Input**, Kokkos::LayoutStride, Space::memory_space> A(row.view().data(),
                                                                                 Kokkos::LayoutStride(70, 0, 72, 1));
  DeviceMatrix<Space, Kokkos::LayoutRight, Output> C(70, 40), expected(70, 40);
  gemm(Space(), A, B.view(), C.view(), {}, {.plan = {.family = "wgmma"}});
  gemm(Space(), A, B.view(), expected.view(), {}, {.plan = {.family = "portable"}});
  const HostMatrix gauge(70, 40, 72);
  EXPECT_TRUE(compare(C.values(), expected.values(), twice_allowed<Output>(expected.values(), gauge, 2)));
}

// All of it is checked before anything is queued.
TYPED_TEST(Wgmma, RefusesATileThatItDoesNotHave) {
  using Input  = typename TestFixture::Input;
  using Output = typename TestFixture::Output;
  const Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", 64, 64);
  const Kokkos::View<Output**, Kokkos::LayoutRight, Space> C("C", 64, 64);
  EXPECT_THROW(gemm(Space(), A, A, C, {}, {.plan = {.family = "wgmma", .tile = {96, 64, 64}}}), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Test
