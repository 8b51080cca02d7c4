// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_OwnTypes.hpp>
#include <host/Tegula_HostFamily.hpp>
#include <host/Tegula_HostProducts.hpp>
#include <vector>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestAgainstPortable.hpp"
#include "Tegula_TestBfloat16.hpp"
#include "Tegula_TestTypes.hpp"

/// All gradients by the teams of one kernel, which form dZ block by block: for blocks of any size, any number of teams,
/// any strides, whatever is wanted, against sums in double.

namespace Tegula::Test {
namespace {

/// What the host's planner is told of a space, which no Kokkos need have.
Impl::HostSpace space_of(int threads) { return {"Threads", threads, std::size_t(1) << 30}; }

/// The teams of a plan one after the other, then the addition of slices. The workspace is poison at first.
template <class T>
void run_teams(const Impl::Call& call, const Plan& plan) {
  std::vector<T> workspace(plan.workspace_bytes() / sizeof(T) + 1, std::numeric_limits<T>::quiet_NaN());
  std::vector<char> scratch(plan.scratch_bytes, char(-1));
  const auto no_barrier = [] { ADD_FAILURE() << "a team of one thread waits"; };
  Impl::with_host_call<T>(call, plan, reinterpret_cast<char*>(workspace.data()), [&](const auto& host_call) {
    for (std::int64_t team = plan.teams(); team-- > 0;)
      Impl::compute_host_tile(host_call, team, {0, 1, scratch.data(), Impl::CallableRef(no_barrier)});
    for (const Impl::HostProduct<T>& product : host_call.products)
      if (product.partial_sums != nullptr)
        for (std::int64_t part = 0; part < Impl::host_slice_parts(product); ++part)
          Impl::add_host_slices(product, part);
  });
}

/// A user's activation whose slope is a constant.
struct Scaled {
  static constexpr Saved saved      = Saved::nothing;
  static constexpr const char* name = "scaled";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return T(0.5) * z;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T) const {
    return T(0.5);
  }
};

template <class C>
class HostGradients : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;
  using Matrix = StridedMatrix<Kokkos::HostSpace, Scalar>;

  void TearDown() override { Impl::use(before_); }

  // A draw around the edges of vectors, register tiles and blocks, or a few, or many.
  std::int64_t draw_extent(std::int64_t many) {
    if (random_() % 3 == 0) return static_cast<std::int64_t>(1 + random_() % 8);
    if (random_() % 4 == 0) return static_cast<std::int64_t>(1 + random_() % static_cast<unsigned>(many));
    const std::vector<std::int64_t> edges{8, 14, 16, 28, 32, 48, 64, 512};
    return std::min(many, pick(random_, edges) + static_cast<std::int64_t>(random_() % 3) - 1);
  }
  Matrix stored(Op op, std::int64_t rows, std::int64_t columns, Update update) {
    const bool is_poison = update == Update::overwrite;
    return op == Op::none ? Matrix(random_, rows, columns, is_poison) : Matrix(random_, columns, rows, is_poison);
  }

  template <class ActivationType>
  void expect_gradients(const ActivationType& activation, int trial) {
    const GemmShape s{draw_extent(700), draw_extent(700), draw_extent(100)};
    const auto update = [&] { return random_() % 2 == 0 ? Update::overwrite : Update::accumulate; };
    const auto op     = [&] { return random_() % 2 == 0 ? Op::none : Op::transpose; };
    const GemmBackwardOptions options{.op_a  = op(),
                                      .op_b  = op(),
                                      .alpha = random_() % 2 == 0 ? 1 : uniform(random_, -2, 2),
                                      .dA    = update(),
                                      .dB    = update(),
                                      .dbias = update()};
    const Update read = Update::accumulate;
    const Matrix A = stored(options.op_a, s.m, s.k, read), B = stored(options.op_b, s.k, s.n, read);
    const Matrix dC(random_, s.m, s.n), saved(random_, s.m, s.n);
    const Matrix dA = stored(options.op_a, s.m, s.k, options.dA), dB = stored(options.op_b, s.k, s.n, options.dB);
    const Matrix dbias         = stored(Op::none, 1, s.n, options.dbias);
    const HostMatrix dA_before = dA.values(), dB_before = dB.values(), dbias_before = dbias.values();

    const int wanted  = trial % 8 == 0 ? 7 : trial % 8;  // bits: dA, dB, dbias
    const auto either = [&](bool is_wanted, const auto& view, const auto& call) {
      is_wanted ? call(view) : call(none);
    };
    const int threads              = static_cast<int>(1 + random_() % 4);
    const std::int64_t block_bytes = pick(random_, std::vector<std::int64_t>{1, 4096, 20000, 200000});
    either((wanted & 1) != 0, dA.view(), [&](const auto& to_dA) {
      either((wanted & 2) != 0, dB.view(), [&](const auto& to_dB) {
        either((wanted & 4) != 0, dbias.row(), [&](const auto& to_dbias) {
          const auto checked =
              Impl::checked_gemm_backward<Space>(dC.view(), A.view(), B.view(), saved_in(saved.view(), activation),
                                                 to_dA, to_dB, to_dbias, activation, options);
          const Plan plan = Impl::plan_host_gradients_together(checked.call, space_of(threads), block_bytes);
          blocks_ += plan.gradient_blocks.part_rows > plan.gradient_blocks.rows;
          teams_ += plan.teams() > 1;
          formed_ += plan.gradient_blocks.elements > 0;
          EXPECT_LE(plan.teams(), threads);
          EXPECT_NE(plan.text().find("together"), std::string::npos);
          run_teams<accumulator_t<Scalar>>(checked.call, plan);
        });
      });
    });

    HostMatrix dZ             = dC.values();
    const HostMatrix of_saved = saved.values();
    for (std::size_t e = 0; e < dZ.values.size(); ++e) dZ.values[e] *= activation.derivative(of_saved.values[e]);
    const auto check = [&](bool is_wanted, const Matrix& actual, Op op_of_it, const HostMatrix& before, Update added,
                           Reference expected) {
      EXPECT_TRUE(actual.surroundings_untouched());
      if (!is_wanted) {
        EXPECT_TRUE(are_same(actual.values(), before)) << "what is not wanted was written";
        return;
      }
      if (added == Update::accumulate) add(expected, 1, apply(op_of_it, before));
      EXPECT_TRUE(matches<Scalar>(apply(op_of_it, actual.values()), expected));
    };
    SCOPED_TRACE(text_of(s) + ", trial " + std::to_string(trial) + ", " + std::to_string(threads) + " threads, " +
                 std::to_string(block_bytes) + " bytes");
    check((wanted & 1) != 0, dA, options.op_a, dA_before, options.dA,
          reference_product(options.alpha, dZ, transposed(apply(options.op_b, B.values()))));
    check((wanted & 2) != 0, dB, options.op_b, dB_before, options.dB,
          reference_product(options.alpha, transposed(apply(options.op_a, A.values())), dZ));
    check((wanted & 4) != 0, dbias, Op::none, dbias_before, options.dbias, reference_column_sums(dZ));
  }

  Random random_ = make_random();
  int blocks_ = 0, teams_ = 0, formed_ = 0;  // calls of several blocks a team, of several teams, that formed dZ
  const Impl::Instructions before_ = Impl::host_instructions();
};

using HostGradientCases =
    typename GoogleTypes<typename Cases<TypeList<Kokkos::DefaultHostExecutionSpace>, TypeList<Kokkos::LayoutRight>,
                                        TypeList<double, float, Bfloat16>>::type>::type;
TYPED_TEST_SUITE(HostGradients, HostGradientCases, CaseName);

TYPED_TEST(HostGradients, OfBlocksOfDZAreThoseOfTheFormula) {
  for (const auto set : {Impl::Instructions::baseline, Impl::Instructions::avx2, Impl::Instructions::avx512}) {
    if (!Impl::has(set)) continue;
    SCOPED_TRACE(Impl::name(set));
    Impl::use(set);
    this->blocks_ = this->teams_ = this->formed_ = 0;
    // At least so many draws, and more where these have not brought enough of each kind.
    constexpr int trials = 160;
    const auto is_enough = [&] {
      return this->blocks_ > trials / 8 && this->teams_ > trials / 8 && this->formed_ > trials / 2;
    };
    int trial = 0;
    for (; (trial < trials || !is_enough()) && trial < 8 * trials && !this->HasFailure(); ++trial) {
      if (trial % 5 == 0) this->expect_gradients(Identity(), trial);
      if (trial % 5 == 1) this->expect_gradients(Relu(), trial);
      if (trial % 5 == 2) this->expect_gradients(Tanh(), trial);
      if (trial % 5 == 3) this->expect_gradients(LeakyRelu(0.3), trial);
      if (trial % 5 == 4) this->expect_gradients(Scaled(), trial);
    }
    EXPECT_TRUE(is_enough()) << this->blocks_ << " of blocks, " << this->teams_ << " of teams, " << this->formed_
                             << " that formed dZ, of " << trial;
    constexpr bool is_accumulator =
        std::is_same_v<typename TestFixture::Scalar, accumulator_t<typename TestFixture::Scalar>>;
    EXPECT_EQ(this->formed_ < trial, is_accumulator) << "whether dC itself was multiplied";
  }
}

TYPED_TEST(HostGradients, ThePlannerTakesBlocksForLongThinLayers) {
  using Scalar         = typename TestFixture::Scalar;
  using View           = Kokkos::View<Scalar**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Row            = Kokkos::View<Scalar*, Kokkos::HostSpace>;
  const auto blocks_of = [](int m, int n, int k) {
    const auto extent = [](int length) { return static_cast<std::size_t>(length); };
    const View dC("dC", extent(m), extent(n)), A("A", extent(m), extent(k)), B("B", extent(k), extent(n));
    const View dA("dA", extent(m), extent(k)), dB("dB", extent(k), extent(n));
    const Row dbias("dbias", extent(n));
    return make_plan(Kokkos::DefaultHostExecutionSpace(), dC, A, B, Output(dC), dA, dB, dbias, Relu()).gradient_blocks;
  };
  EXPECT_GT(blocks_of(5000, 8, 8).parts, 0);
  EXPECT_LT(blocks_of(5000, 8, 8).rows, 5000) << "by however many teams";
  EXPECT_GT(blocks_of(2, 40, 10).parts, 0);
}

}  // namespace
}  // namespace Tegula::Test
