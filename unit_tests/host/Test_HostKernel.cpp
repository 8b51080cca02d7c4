// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_OwnTypes.hpp>
#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <cstring>
#include <host/Tegula_HostProducts.hpp>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "Tegula_TestActivations.hpp"
#include "Tegula_TestRandom.hpp"
#include "Tegula_TestStridedMatrix.hpp"
#include "Tegula_TestTypes.hpp"

/// What a user's file compiles for the host's kernel, functions on runs, gives the bits that the library's give: an
/// activation as one of Tegula's of the same formula, a scalar as the accumulator that it holds. So do teams of
/// threads.

namespace Tegula::Test {

/// A float that the library does not know.
struct OwnFloat {
  float value = 0;

  OwnFloat() = default;
  KOKKOS_FUNCTION explicit OwnFloat(float v) : value(v) {}
  KOKKOS_FUNCTION explicit operator float() const { return value; }
};

/// A built-in activation that the library does not know.
template <class F>
struct Own : F {
  explicit Own(const F& builtin) : F(builtin) {}
};

}  // namespace Tegula::Test

template <>
struct Tegula::ScalarTraits<Tegula::Test::OwnFloat> {
  using accumulator                     = float;
  static constexpr double unit_roundoff = 0x1p-24;
  static constexpr const char* name     = "own_f32";
};

namespace Tegula::Test {
namespace {

template <class Trial>
void for_every_instruction_set(const Trial& trial) {
  const Impl::Instructions before = Impl::host_instructions();
  for (const auto set : {Impl::Instructions::baseline, Impl::Instructions::avx2, Impl::Instructions::avx512}) {
    if (!Impl::has(set)) continue;
    SCOPED_TRACE(Impl::name(set));
    Impl::use(set);
    trial(set);
  }
  Impl::use(before);
}

/// But for the sign of NaN, which a compiler may take from either factor.
template <class T>
bool are_same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}
template <class T>
void expect_same_bits(const std::vector<T>& actual, const std::vector<T>& expected, int count) {
  EXPECT_TRUE(std::equal(actual.begin(), actual.end(), expected.begin(), expected.end(), are_same_bits<T>))
      << count << " elements";
}

/// Numbers of every size, behind `count` of which the others must stay.
template <class T>
std::vector<T> draw_run(Random& random) {
  std::vector<T> run(100);
  for (T& value : run) value = static_cast<T>(uniform(random, -9, 9));
  run[random() % 70] = std::numeric_limits<T>::quiet_NaN();
  run[random() % 70] = std::numeric_limits<T>::infinity();
  return run;
}

/// A call of gemm or gemm_backward with an activation, and no matrices.
template <class Types>
Impl::Call call_with(const typename Types::Activation& activation) {
  auto call = Impl::call_of_types<Types, typename Types::Accumulator>(1, Op::none, Op::none, Compute::native);
  Impl::add_activation<Kokkos::DefaultHostExecutionSpace, Types>(call, activation);
  return call;
}
template <class T, class F>
Impl::HostValue value_of(const F& activation, Impl::Instructions set) {
  return Impl::host_value(call_with<Impl::GemmTypes<T, T, T, T, T, F>>(activation), set);
}
template <class T, class F>
Impl::HostSlope slope_of(const F& activation, Impl::Instructions set) {
  return Impl::host_slope(call_with<Impl::GemmBackwardTypes<T, T, T, T, T, T, T, F>>(activation), Impl::element_of<T>,
                          set);
}

template <class T, class F>
void expect_the_librarys_functions(const F& builtin) {
  const Own<F> own(builtin);
  for_every_instruction_set([&](Impl::Instructions set) {
    const Impl::HostValue value = value_of<T>(own, set), expected_value = value_of<T>(builtin, set);
    const Impl::HostSlope slope = slope_of<T>(own, set), expected_slope = slope_of<T>(builtin, set);
    EXPECT_EQ(slope.is_constant, expected_slope.is_constant);
    EXPECT_EQ(slope.is_constant, F::saved == Saved::nothing);
    Random random = make_random();
    for (int count = 1; count <= 70; ++count) {
      const std::vector<T> before = draw_run<T>(random), saved = draw_run<T>(random);
      const auto changed = [&](const auto& change) {
        std::vector<T> run = before;
        change(run.data());
        EXPECT_TRUE(std::equal(run.begin() + count, run.end(), before.begin() + count,
                               [](T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }))
            << "something behind " << count << " elements was changed";
        return run;
      };
      const auto apply = [&](const Impl::HostValue& v) {
        return changed([&](T* run) {
          if (v.function != nullptr) v.function(v.functor, count, run);
        });
      };
      const auto multiply = [&](const Impl::HostSlope& s) {
        return changed([&](T* run) {
          if (s.function != nullptr) s.multiply(saved.data(), count, run);
        });
      };
      expect_same_bits(apply(value), apply(expected_value), count);
      expect_same_bits(multiply(slope), multiply(expected_slope), count);
      // An element's bits do not depend on its place in the run.
      const auto place = static_cast<std::size_t>(count - 1);
      if (expected_value.function != nullptr) {
        T last = before[place];
        value.function(value.functor, 1, &last);
        EXPECT_TRUE(are_same_bits(last, apply(value)[place])) << count;
      }
      if (expected_slope.function != nullptr) {
        T last = before[place];
        slope.multiply(&saved[place], 1, &last);
        EXPECT_TRUE(are_same_bits(last, multiply(slope)[place])) << count;
      }
    }
  });
}

template <class T>
class HostFunctions : public testing::Test {};
using Accumulators = testing::Types<float, double>;
TYPED_TEST_SUITE(HostFunctions, Accumulators);

TYPED_TEST(HostFunctions, OfAnOwnActivationAreThoseOfABuiltInOne) {
  expect_the_librarys_functions<TypeParam>(Identity());
  expect_the_librarys_functions<TypeParam>(Relu());
  expect_the_librarys_functions<TypeParam>(LeakyRelu(0.3));
  expect_the_librarys_functions<TypeParam>(Tanh());
  expect_the_librarys_functions<TypeParam>(Sigmoid());
  expect_the_librarys_functions<TypeParam>(Silu());
  expect_the_librarys_functions<TypeParam>(GeluTanh());
  expect_the_librarys_functions<TypeParam>(GeluErf());
}

/// The largest error of an activation on runs, in steps between the numbers of T around the exact value.
template <class T, class F, class Exact>
double error_of_runs(const F& activation, Impl::Instructions set, const Exact& exact) {
  using Limits                = std::numeric_limits<T>;
  const Impl::HostValue value = value_of<T>(activation, set);
  Random random               = make_random();
  double largest              = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<T> z(100);
    for (T& number : z) number = static_cast<T>(uniform(random, -1, 1) * (trial % 2 == 0 ? 1 : 40));
    std::vector<T> y = z;
    value.function(value.functor, static_cast<int>(y.size()), y.data());
    for (std::size_t e = 0; e < y.size(); ++e) {
      const long double expected = exact(static_cast<long double>(z[e]));
      int exponent;
      std::frexp(expected, &exponent);
      const long double step = std::ldexp(1.0L, std::max(exponent, Limits::min_exponent) - Limits::digits);
      largest                = std::max(largest, static_cast<double>(std::fabs(y[e] - expected) / step));
    }
  }
  return largest;
}

// The bounds of Test_Math, which knows one set of instructions.
TYPED_TEST(HostFunctions, AreAccurateOnEverySetOfInstructions) {
  for_every_instruction_set([](Impl::Instructions set) {
    const auto tanh    = [](long double z) { return std::tanh(z); };
    const auto sigmoid = [](long double z) { return 1 / (1 + std::exp(-z)); };
    EXPECT_LE(error_of_runs<TypeParam>(Tanh(), set, tanh), 2.8);
    EXPECT_LE(error_of_runs<TypeParam>(Sigmoid(), set, sigmoid), 2.5);
  });
}

/// The matrices of gemm and of gemm_backward; the same generator draws the same numbers for each scalar. Extents of 9
/// and more are no inner products, which an operand that needs conversion cannot be, and the tile is given: all sums
/// have one order.
template <class Space, class Scalar>
struct Layer {
  using Matrix = StridedMatrix<Kokkos::HostSpace, Scalar>;

  Matrix A, B, bias, C, Z, dC, saved, dA, dB, dbias;

  Layer(Random random, const GemmShape& s)
      : A(random, s.m, s.k),
        B(random, s.k, s.n),
        bias(random, 1, s.n),
        C(random, s.m, s.n),
        Z(random, s.m, s.n),
        dC(random, s.m, s.n),
        saved(random, s.m, s.n),
        dA(random, s.m, s.k),
        dB(random, s.k, s.n),
        dbias(random, 1, s.n) {}

  template <class F>
  std::vector<HostMatrix> results(const F& activation, int split_k) const {
    const PlanOptions plan{.family = "host", .tile = {48, 64, 24}, .split_k = split_k};
    gemm(Space(), A.view(), B.view(), C.view(), Epilogue(activation, bias.row(), Z.view()),
         {.alpha = 0.75, .beta = 0.5, .plan = plan});
    gemm_backward(Space(), dC.view(), A.view(), B.view(), saved_in(saved.view(), activation), dA.view(), dB.view(),
                  dbias.row(), activation,
                  {.alpha = 1.25, .dB = Update::accumulate, .dbias = Update::accumulate, .plan = plan});
    EXPECT_TRUE(C.surroundings_untouched() && Z.surroundings_untouched() && dA.surroundings_untouched() &&
                dB.surroundings_untouched() && dbias.surroundings_untouched());
    return values();
  }

  std::vector<HostMatrix> values() const { return {C.values(), Z.values(), dA.values(), dB.values(), dbias.values()}; }
};

void expect_same_values(const std::vector<HostMatrix>& actual, const std::vector<HostMatrix>& expected, int trial) {
  for (std::size_t r = 0; r < actual.size(); ++r)
    ASSERT_EQ(std::memcmp(actual[r].values.data(), expected[r].values.data(), actual[r].values.size() * sizeof(double)),
              0)
        << "result " << r << ", trial " << trial;
}

template <class C>
class HostCallbacks : public testing::Test {
 protected:
  using Space = typename C::Space;

  // Results of Scalar and `own` against those of Expected and `builtin`.
  template <class Scalar, class Expected, class F, class G>
  void expect_same_results(const F& own, const G& builtin) {
    for_every_instruction_set([&](Impl::Instructions) {
      for (int trial = 0; trial < 40; ++trial) {
        const auto extent     = [&] { return static_cast<std::int64_t>(9 + random_() % 62); };
        const GemmShape shape = {extent(), extent(), extent()};
        const int split_k     = 1 + trial % 2;
        const Random random(random_());
        expect_same_values(Layer<Space, Scalar>(random, shape).results(own, split_k),
                           Layer<Space, Expected>(random, shape).results(builtin, split_k), trial);
        if (this->HasFatalFailure()) return;
      }
    });
  }

  Random random_ = make_random();
};

using HostCallbackCases = typename GoogleTypes<
    typename Cases<HostSpaces, TypeList<Kokkos::LayoutRight>, TypeList<double, float>>::type>::type;
TYPED_TEST_SUITE(HostCallbacks, HostCallbackCases, CaseName);

TYPED_TEST(HostCallbacks, OfAnOwnActivationGiveTheBitsOfABuiltInOne) {
  using Scalar = typename TypeParam::Scalar;
  this->template expect_same_results<Scalar, Scalar>(Own(Identity()), Identity());
  this->template expect_same_results<Scalar, Scalar>(Own(LeakyRelu(0.3)), LeakyRelu(0.3));
  this->template expect_same_results<Scalar, Scalar>(Own(GeluTanh()), GeluTanh());
}

TYPED_TEST(HostCallbacks, OfAnOwnScalarGiveTheBitsOfTheAccumulator) {
  if constexpr (std::is_same_v<typename TypeParam::Scalar, float>) {
    this->template expect_same_results<OwnFloat, float>(Relu(), Relu());
    this->template expect_same_results<OwnFloat, float>(Own(GeluErf()), GeluErf());
  }
}

/// A matrix with the strides that it is given, and poison around its elements.
template <class T>
struct LaidMatrix {
  using View = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace>;

  std::size_t rows, columns, row_stride, column_stride;
  std::vector<T> storage;

  LaidMatrix(std::int64_t m, std::int64_t n, std::size_t between_rows, std::size_t between_columns)
      : rows(static_cast<std::size_t>(m)),
        columns(static_cast<std::size_t>(n)),
        row_stride(between_rows),
        column_stride(between_columns),
        storage(2 * margin + rows * row_stride + columns * column_stride, std::numeric_limits<T>::quiet_NaN()) {}

  /// The same numbers from the same generator, wherever they lie.
  void draw(Random random) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) view()(i, j) = static_cast<T>(uniform(random, -1, 1));
  }
  View view() { return View(storage.data() + margin, Kokkos::LayoutStride(rows, row_stride, columns, column_stride)); }
  /// Takes the elements out, so that nothing but poison is left.
  std::vector<T> take() {
    std::vector<T> values;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        values.push_back(std::exchange(view()(i, j), std::numeric_limits<T>::quiet_NaN()));
    return values;
  }
  bool is_poison() const {
    return std::all_of(storage.begin(), storage.end(), [](T value) { return std::isnan(value); });
  }

  static constexpr std::size_t margin = 3;
};

// Microkernels store what they can where it belongs, with bias, Z and activation; all else goes through scratch, as
// results do that are contiguous in no direction. No sum is an inner product, whose order is another: no operand has
// contiguous depth.
TYPED_TEST(HostCallbacks, AResultHasTheSameBitsHoweverItLiesAndIsStored) {
  using T     = typename TypeParam::Scalar;
  using Space = typename TypeParam::Space;
  for_every_instruction_set([&](Impl::Instructions) {
    for (const std::int64_t m : {1, 2, 7, 14, 15, 17, 33}) {
      for (const std::int64_t n : {1, 3, 8, 9, 16, 17, 31, 32, 47, 300}) {
        const std::int64_t k = 1 + static_cast<std::int64_t>(this->random_() % 40);
        const double beta    = static_cast<double>(this->random_() % 2);
        const auto rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
        const Random random(this->random_());
        LaidMatrix<T> A(m, k, 1, rows + 1), B(k, n, columns + 1, 1), bias(1, n, columns, 1);
        for (LaidMatrix<T>* matrix : {&A, &B, &bias}) matrix->draw(Random(this->random_()));
        // C and, if its strides are given, Z.
        using Strides      = std::array<std::size_t, 2>;
        const auto results = [&](const Strides& of_C, const Strides* of_Z) {
          LaidMatrix<T> C(m, n, of_C[0], of_C[1]), Z(m, n, (of_Z ? *of_Z : of_C)[0], (of_Z ? *of_Z : of_C)[1]);
          C.draw(random);
          const auto row = Kokkos::subview(bias.view(), 0, Kokkos::ALL());
          const GemmOptions options{.beta = beta, .plan = {.family = "host", .tile = {20, 512, 24}, .split_k = 1}};
          if (of_Z) {
            gemm(Space(), A.view(), B.view(), C.view(), Epilogue(Tanh(), row, Z.view()), options);
          } else {
            gemm(Space(), A.view(), B.view(), C.view(), Epilogue(Tanh(), row), options);
          }
          std::array<std::vector<T>, 2> values{C.take(), Z.take()};
          EXPECT_TRUE(C.is_poison() && Z.is_poison()) << "something around the results was written";
          return values;
        };
        const Strides scattered{2 * columns, 2};
        const auto expected = results(scattered, &scattered);
        const std::array<Strides, 5> layouts{
            {{columns, 1}, {columns + 5, 1}, {1, rows}, {1, rows + 5}, {2 * columns, 2}}};
        for (const Strides& of_C : layouts) {
          SCOPED_TRACE(std::to_string(m) + 'x' + std::to_string(n) + 'x' + std::to_string(k) + ", beta " +
                       std::to_string(beta) + ", strides of C " + std::to_string(of_C[0]) + ", " +
                       std::to_string(of_C[1]));
          expect_same_bits(results(of_C, nullptr)[0], expected[0], static_cast<int>(m * n));
          for (const Strides& of_Z : layouts) {
            const auto actual = results(of_C, &of_Z);
            expect_same_bits(actual[0], expected[0], static_cast<int>(m * n));
            expect_same_bits(actual[1], expected[1], static_cast<int>(m * n));
          }
        }
        if (this->HasFailure()) return;
      }
    }
  });
}

// Threads of the test's own make the team, so that a Kokkos without threads is enough.
template <class T>
void run_by_teams(const Impl::HostCall<T>& call, int size) {
  for (std::int64_t team = 0; team < call.plan->teams(); ++team) {
    std::vector<char> scratch(call.plan->scratch_bytes);
    std::barrier together(size);
    const auto wait = [&] { together.arrive_and_wait(); };
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank)
      threads.emplace_back([&, rank] {
        Impl::compute_host_tile(call, team, {rank, size, scratch.data(), Impl::CallableRef(wait)});
      });
    for (std::thread& thread : threads) thread.join();
  }
  for (const Impl::HostProduct<T>& product : call.products)
    if (product.partial_sums != nullptr)
      for (std::int64_t part = 0; part < Impl::host_slice_parts(product); ++part) Impl::add_host_slices(product, part);
}

TYPED_TEST(HostCallbacks, ATeamOfAnySizeGivesTheSameBits) {
  using Scalar = typename TypeParam::Scalar;
  using Space  = typename TypeParam::Space;
  for_every_instruction_set([&](Impl::Instructions) {
    for (int trial = 0; trial < 12; ++trial) {
      const auto extent     = [&] { return static_cast<std::int64_t>(1 + this->random_() % 150); };
      const GemmShape shape = {extent(), extent(), extent()};
      const PlanOptions options{.family = "host", .tile = {61, 67, 31}, .split_k = 1 + trial % 2};
      const Random random(this->random_());
      const auto results = [&](int size) {
        const Layer<Space, Scalar> layer(random, shape);
        const auto run = [&](const Impl::CheckedCall& checked) {
          const Plan plan = Impl::plan_call(Space(), checked, options);
          std::vector<Scalar> workspace(plan.workspace_bytes() / sizeof(Scalar) + 1);
          Impl::with_host_call<Scalar>(checked.call, plan, reinterpret_cast<char*>(workspace.data()),
                                       [&](const auto& call) { run_by_teams(call, size); });
        };
        run(Impl::checked_gemm<Space>(layer.A.view(), layer.B.view(), layer.C.view(),
                                      Epilogue(Tanh(), layer.bias.row(), layer.Z.view()), {.beta = 1}));
        run(Impl::checked_gemm_backward<Space>(layer.dC.view(), layer.A.view(), layer.B.view(),
                                               Output(layer.saved.view()), layer.dA.view(), layer.dB.view(),
                                               layer.dbias.row(), Tanh(), {}));
        return layer.values();
      };
      expect_same_values(results(3), results(1), trial);
    }
  });
}

}  // namespace
}  // namespace Tegula::Test
