// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_OwnTypes.hpp>
#include <algorithm>
#include <barrier>
#include <functional>
#include <limits>
#include <memory>
#include <portable/Tegula_PortablePlan.hpp>
#include <product/Tegula_UncutCall.hpp>
#include <thread>
#include <vector>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestBackward.hpp"
#include "Tegula_TestTypes.hpp"

/// What a team of many threads does in the portable kernel, done by threads of a host: a machine without a device tests
/// the tiles of devices, too.

namespace Tegula::Test {
namespace {

/// The tiles of devices.
template <class Scalar>
using DeviceTiles = Impl::PortableTiles<false, Scalar>;

/// A thread of a team, as kernels see it.
struct Member {
  int rank;
  std::barrier<>* barrier;

  int team_rank() const { return rank; }
  void team_barrier() const { barrier->arrive_and_wait(); }
};

/// compute(member, team) of each team, one team after the other, by a thread for each member.
void run_threads(int members, std::int64_t teams, const std::function<void(const Member&, std::int64_t)>& compute) {
  std::barrier<> barrier(members);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < members; ++rank) {
    threads.emplace_back([&, rank] {
      for (std::int64_t team = 0; team < teams; ++team) {
        compute(Member{rank, &barrier}, team);
        barrier.arrive_and_wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

template <class Tile, class T, class Product>
void run_teams(const Product& product, bool by_packs) {
  using Compute = Impl::TeamProduct<Tile, T, Member>;
  struct alignas(Compute::Scratch::alignment) Scratch {
    T values[Compute::Scratch::size];
  };
  const auto scratch = std::make_unique<Scratch>();
  run_threads(Tile::threads, product.teams(), [&](const Member& member, std::int64_t team) {
    Compute::compute(member, product, product.work(team), by_packs, scratch->values);
  });
}

/// Calls visit(tile) with the tile of that shape, as a type. What calls this need not be compiled for every tile.
template <class Visit, class... Tiles>
void with_tile(const TileShape& shape, Impl::TileList<Tiles...>, const Visit& visit) {
  ((Tiles::shape() == shape ? visit(Tiles()) : void()), ...);
}

template <class Scalar, class Product>
void run_product(const Product& product, const TileShape& shape, bool by_packs) {
  with_tile(shape, typename DeviceTiles<Scalar>::type(),
            [&](auto tile) { run_teams<decltype(tile), Scalar>(product, by_packs); });
  Impl::launch_split_k_reduce<Scalar>(Kokkos::DefaultHostExecutionSpace(), Impl::KernelLabel(""), product);
  Kokkos::fence();
}

/// How operands are read, and whether their type and the activation are known when the kernel is compiled. Those of a
/// user always are.
struct Way {
  bool by_packs = false, as_data = false;
};

template <class Scalar, class ActivationType>
void run_gradients(const Impl::Call& call, const Plan& plan, const TileShape& tile, const Way& way) {
  std::vector<Scalar> workspace(plan.workspace_bytes() / sizeof(Scalar));
  const auto memory = reinterpret_cast<char*>(workspace.data());
  const auto run    = [&](const auto&... product) { (run_product<Scalar>(product, tile, way.by_packs), ...); };
  if constexpr (!Impl::is_built_in<ActivationType>) {
    using Types = Impl::GemmBackwardTypes<Scalar, Scalar, Scalar, Scalar, Scalar, Scalar, Scalar, ActivationType>;
    Impl::with_own_products<Types>(call, plan, memory, run);
  } else if (way.as_data) {
    Impl::with_products_of<Scalar, void, Impl::ActivationList<>>(call, plan, memory, run);
  } else {
    Impl::with_products_of<Scalar, Scalar, Impl::ActivationList<ActivationType>>(call, plan, memory, run);
  }
}

/// A product of one tile configuration. The plan is cut as a kernel's would be.
ProductPlan cut(const GemmShape& shape, const TileShape& tile, int splits, std::size_t accumulator_bytes,
                bool sums_rows = false) {
  ProductPlan plan;
  plan.shape     = shape;
  plan.sums_rows = sums_rows;
  Impl::cut_into_tiles(plan, tile, 4, {});
  Impl::cut_inner_dimension(plan, splits, accumulator_bytes);
  return plan;
}

template <class C>
class PortableTeams : public testing::Test {
 protected:
  using Scalar = typename C::Scalar;
  using Layout = typename C::Layout;
  using Matrix = DeviceMatrix<Kokkos::DefaultHostExecutionSpace, Layout, Scalar>;

  // C = A B with every tile, by packs where the margin is even. The operands' layouts follow from their transposes.
  template <class... Tiles>
  void expect_products(Impl::TileList<Tiles...>) {
    (expect_products_of(Tiles::shape()), ...);
  }

  // All gradients, of which dA is added to what is there.
  template <class ActivationType, class... Tiles>
  void expect_gradients(const ActivationType& activation, Impl::TileList<Tiles...>) {
    (expect_gradients_of(Tiles::shape(), activation), ...);
  }

 private:
  void expect_products_of(const TileShape& tile) {
    const auto [m, n, k] = tile;
    for (const GemmShape& shape : {GemmShape{8, 8, 8}, GemmShape{m + 8, n + 8, 2 * k + 8}}) {
      expect_product(tile, true, shape, Matrix::even_margin, 1);
      expect_product(tile, true, shape, Matrix::even_margin, 2);
    }
    for (const GemmShape& shape : {GemmShape{1, 1, 1}, GemmShape{m + 1, n + 3, 3 * k + 1}, GemmShape{m, n, k}})
      expect_product(tile, false, shape, Matrix::odd_margin, 1);
  }

  template <class ActivationType>
  void expect_gradients_of(const TileShape& tile, const ActivationType& activation) {
    const auto [m, n, k] = tile;
    const GemmShape even{m + 8, n + 8, 2 * k + 8}, odd{m + 1, n + 3, 3 * k + 1};
    expect_gradients(tile, activation, {.by_packs = true}, even, 1);
    expect_gradients(tile, activation, {.by_packs = true, .as_data = true}, even, 3);
    expect_gradients(tile, activation, {}, odd, 2);
    expect_gradients(tile, activation, {.as_data = true}, odd, 1);
  }

  template <class ActivationType>
  void expect_gradients(const TileShape& tile, const ActivationType& activation, const Way& way, const GemmShape& shape,
                        int splits) {
    const std::int64_t margin = way.by_packs ? Matrix::even_margin : Matrix::odd_margin;
    const auto random         = [&](std::int64_t rows, std::int64_t columns) {
      return Matrix(random_matrix(random_, rows, columns), margin);
    };
    const auto [m, n, k] = shape;
    const Matrix A = random(m, k), B = random(k, n), dC = random(m, n), saved = random(m, n), dA = random(m, k);
    const Matrix dB(k, n, margin), dbias(1, n, margin);
    const Reference dZ = reference_dZ(dC.values(), saved.values(), activation);
    auto expected      = reference_gradients(dZ, A.values(), B.values(), 0.5);
    add(expected.dA, 1, dA.values());

    using Space        = Kokkos::DefaultHostExecutionSpace;
    const auto checked = Impl::checked_gemm_backward<Space>(
        dC.const_view(), A.const_view(), B.const_view(), saved_in(saved.const_view(), activation), dA.view(), dB.view(),
        dbias.row(), activation, {.alpha = 0.5, .dA = Update::accumulate});
    const Impl::Call& call = checked.call;
    Plan plan              = Impl::uncut_plan("portable", Space::name(), call);
    for (ProductPlan& product : plan.products) {
      const bool sums_rows = product.sums_rows;
      product              = cut(product.shape, tile, splits, sizeof(Scalar), sums_rows);
    }
    run_gradients<Scalar, ActivationType>(call, plan, tile, way);
    const auto what = [&] {
      return testing::Message() << m << 'x' << n << 'x' << k << ' ' << activation.name << " in tiles of " << text(tile)
                                << (way.by_packs ? " by packs, " : ", ") << (way.as_data ? "as data, " : "") << splits
                                << " splits";
    };
    EXPECT_TRUE(matches<Scalar>(dA.values(), expected.dA)) << what();
    EXPECT_TRUE(matches<Scalar>(dB.values(), expected.dB)) << what();
    EXPECT_TRUE(matches<Scalar>(dbias.values(), expected.dbias)) << what();
    EXPECT_TRUE(dA.surroundings_untouched() && dB.surroundings_untouched() && dbias.surroundings_untouched()) << what();
  }

  void expect_product(const TileShape& tile, bool by_packs, const GemmShape& shape, std::int64_t margin, int splits) {
    const bool transpose_a = random_() % 2 == 1, transpose_b = random_() % 2 == 1;
    const HostMatrix a = random_matrix(random_, shape.m, shape.k), b = random_matrix(random_, shape.k, shape.n);
    const Matrix A(transpose_a ? transposed(a) : a, margin), B(transpose_b ? transposed(b) : b, margin);
    const Matrix C_(shape.m, shape.n, margin);
    const auto ref = [](const Matrix& matrix, bool transposed) {
      return Impl::matrix_ref<const Scalar>(matrix.const_view(), transposed ? Op::transpose : Op::none);
    };
    const ProductPlan plan = cut(shape, tile, splits, sizeof(Scalar));
    std::vector<Scalar> workspace(plan.workspace_bytes / sizeof(Scalar));
    const Impl::AnyEpilogueResult<Scalar> result{
        Impl::any_matrix(Impl::matrix_ref<Scalar>(C_.view())), {}, {}, {}, 1, 0};
    const auto product = Impl::make_product<Scalar>(Impl::AnyOperand<Scalar>(ref(A, transpose_a)),
                                                    Impl::AnyOperand<Scalar>(ref(B, transpose_b).transposed()), result,
                                                    plan, reinterpret_cast<char*>(workspace.data()));
    EXPECT_TRUE(Impl::packs_are_whole(product) || !by_packs) << "such operands are read by packs";
    run_product<Scalar>(product, tile, by_packs);
    const auto what = [&] {
      return testing::Message() << shape.m << 'x' << shape.n << 'x' << shape.k << " in tiles of " << text(tile)
                                << (by_packs ? " by packs" : "") << ", transposed " << transpose_a << transpose_b
                                << ", " << plan.split_k << " splits";
    };
    EXPECT_TRUE(matches<Scalar>(C_.values(), reference_product(1, a, b))) << what();
    EXPECT_TRUE(C_.surroundings_untouched()) << what();
  }

  Random random_ = make_random();
};

using Cases = testing::Types<Case<Kokkos::DefaultHostExecutionSpace, Kokkos::LayoutRight, float>,
                             Case<Kokkos::DefaultHostExecutionSpace, Kokkos::LayoutLeft, float>,
                             Case<Kokkos::DefaultHostExecutionSpace, Kokkos::LayoutRight, double>,
                             Case<Kokkos::DefaultHostExecutionSpace, Kokkos::LayoutLeft, double>>;
TYPED_TEST_SUITE(PortableTeams, Cases, CaseName);

TYPED_TEST(PortableTeams, ComputeProductsInTheTilesOfDevices) {
  this->expect_products(typename DeviceTiles<typename TypeParam::Scalar>::type());
}

TYPED_TEST(PortableTeams, ComputeGradientsInTheTilesOfDevices) {
  using Tiles = typename DeviceTiles<typename TypeParam::Scalar>::type;
  this->expect_gradients(Tanh(), Tiles());
}

TYPED_TEST(PortableTeams, ApplyTheDerivativesOfUsersActivations) {
  using Tiles = typename DeviceTiles<typename TypeParam::Scalar>::type;
  this->expect_gradients(Wave(), Tiles());
  this->expect_gradients(Softsign(), Tiles());
  this->expect_gradients(Gain(), Tiles());
}

// The tile whose plan costs least on a device of 132 multiprocessors, without split-k.
template <class Scalar>
TileShape cheapest(const GemmShape& shape) {
  constexpr int multiprocessors = 132;
  TileShape best;
  double least = std::numeric_limits<double>::max();
  for (const Impl::TileChoice& choice : Impl::portable_choices<false, Scalar>) {
    Plan plan;
    plan.products[0].shape = shape;
    Impl::cut_products(plan, choice, multiprocessors * choice.teams, sizeof(Scalar), {.split_k = 1});
    const double cost = Impl::portable_cost(plan, choice, multiprocessors);
    if (cost < least) best = choice.tile;
    least = std::min(least, cost);
  }
  return best;
}

TYPED_TEST(PortableTeams, TakeTheTileThatFillsTheDevice) {
  using Scalar    = typename TypeParam::Scalar;
  const auto m_of = [](std::int64_t m, std::int64_t n, std::int64_t k) { return cheapest<Scalar>({m, n, k}).m; };
  EXPECT_EQ(m_of(512, 512, 512), 32);
  EXPECT_EQ(m_of(1024, 1024, 1024), 64);
  EXPECT_EQ(m_of(4096, 4096, 4096), 128);
  EXPECT_EQ(m_of(1000000, 32, 32), 32);
  EXPECT_EQ(m_of(8192, 8192, 64), 64);
}

}  // namespace
}  // namespace Tegula::Test
