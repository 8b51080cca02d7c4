// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

#include "Tegula_TestReference.hpp"
#include "Tegula_TestStridedMatrix.hpp"
#include "Tegula_TestTools.hpp"
#include "Tegula_TestTypes.hpp"

/// A small product that was run before is run again without checks and plans of its own: with the same bits, no access
/// beside its matrices, and every error that the first call would end in.

namespace Tegula::Test {
namespace {

constexpr std::array all_instructions{Impl::Instructions::baseline, Impl::Instructions::avx2,
                                      Impl::Instructions::avx512};

template <class Types>
class KeptProduct : public testing::Test {
 protected:
  using Space  = typename Types::Space;
  using Scalar = typename Types::Scalar;
  using Matrix = StridedMatrix<Kokkos::HostSpace, Scalar>;

  void TearDown() override { Impl::use(before_); }

  // Around the widths of vectors and register tiles, and what is no whole one.
  std::int64_t draw_extent() {
    const std::vector<std::int64_t> edges{1, 4, 6, 8, 12, 14, 16, 24, 28, 32, 48, 64};
    return std::max<std::int64_t>(1, pick(random_, edges) + static_cast<std::int64_t>(random_() % 3) - 1);
  }

  // Most often contiguous in one direction, as results must be that microkernels store.
  Matrix draw_matrix(std::int64_t rows, std::int64_t columns, bool is_poisoned = false) {
    return Matrix(random_, rows, columns, is_poisoned, random_() % 8 == 0 ? 1 : 4);
  }
  Matrix stored(Op op, std::int64_t rows, std::int64_t columns) {
    return op == Op::none ? draw_matrix(rows, columns) : draw_matrix(columns, rows);
  }

  template <class Activation>
  void compare_first_and_second(int& kept, const Activation& activation) {
    const std::int64_t m = draw_extent(), n = draw_extent(), k = draw_extent();
    GemmOptions options;
    options.op_a   = random_() % 2 == 0 ? Op::none : Op::transpose;
    options.op_b   = random_() % 2 == 0 ? Op::none : Op::transpose;
    options.beta   = static_cast<double>(random_() % 2);
    const Matrix A = stored(options.op_a, m, k), B = stored(options.op_b, k, n), bias = draw_matrix(1, n);
    const Matrix C = draw_matrix(m, n, options.beta == 0), Z = draw_matrix(m, n, true);
    const Matrix second_A = A, second_B = B, second_bias = bias, second_C = C, second_Z = Z, third_C = C, third_Z = Z;
    Reference z = reference_product(1, apply(options.op_a, A.values()), apply(options.op_b, B.values()));
    if (options.beta != 0) add(z, options.beta, C.values());

    const auto run = [&](const auto& epilogue, const auto& second_epilogue, const auto& third_epilogue) {
      const Plan plan = make_plan(exec_, A.view(), B.view(), C.view(), epilogue, options);
      kept += plan.kept != nullptr ? 1 : 0;
      gemm(exec_, A.view(), B.view(), C.view(), epilogue, options);
      gemm(exec_, second_A.view(), second_B.view(), second_C.view(), second_epilogue, options);
      gemm(exec_, plan, second_A.view(), second_B.view(), third_C.view(), third_epilogue, options);
    };
    switch (random_() % 3) {
      case 0:
        run(Epilogue(activation), Epilogue(activation), Epilogue(activation));
        break;
      case 1:
        add_row(z, bias.values());
        run(Epilogue(activation, bias.row()), Epilogue(activation, second_bias.row()),
            Epilogue(activation, second_bias.row()));
        break;
      default:
        add_row(z, bias.values());
        run(Epilogue(activation, bias.row(), Z.view()), Epilogue(activation, second_bias.row(), second_Z.view()),
            Epilogue(activation, second_bias.row(), third_Z.view()));
        EXPECT_TRUE(matches<Scalar>(Z.values(), z));
        expect_bits(Z, second_Z);
        expect_bits(Z, third_Z);
    }
    EXPECT_TRUE(matches_activated<Scalar>(C.values(), z, activation));
    expect_bits(C, second_C);
    expect_bits(C, third_C);
    if (HasFailure())
      ADD_FAILURE() << Impl::name(Impl::host_instructions()) << ' ' << m << 'x' << n << 'x' << k << ", op "
                    << static_cast<int>(options.op_a) << static_cast<int>(options.op_b) << ", beta " << options.beta;
  }

  void expect_bits(const Matrix& first, const Matrix& second) {
    EXPECT_EQ(std::memcmp(first.values().values.data(), second.values().values.data(),
                          first.values().values.size() * sizeof(double)),
              0);
    EXPECT_TRUE(second.surroundings_untouched());
  }

  const Impl::Instructions before_ = Impl::host_instructions();
  Random random_                   = make_random();
  Space exec_;
};

using KeptCases = typename GoogleTypes<
    typename Cases<HostSpaces, TypeList<Kokkos::LayoutRight>, TypeList<double, float>>::type>::type;
TYPED_TEST_SUITE(KeptProduct, KeptCases, CaseName);

TYPED_TEST(KeptProduct, HasTheBitsOfTheFirstCall) {
  for (const Impl::Instructions instructions : all_instructions) {
    if (!Impl::has(instructions)) continue;
    Impl::use(instructions);
    constexpr int draws = 200;
    int kept            = 0;
    for (int draw = 0; draw < draws && !this->HasFailure(); ++draw) {
      this->compare_first_and_second(kept, Identity());
      this->compare_first_and_second(kept, Relu());
      this->compare_first_and_second(kept, LeakyRelu{0.25});
      this->compare_first_and_second(kept, GeluErf());
    }
    EXPECT_GT(kept, draws / 8) << Impl::name(instructions);
  }
}

/// A row-major matrix behind whose last element a page begins that nobody may touch, or before whose first one ends.
template <class Scalar>
class GuardedMatrix {
 public:
  using View = Kokkos::View<Scalar**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

  GuardedMatrix(std::int64_t rows, std::int64_t columns, bool at_end) : rows_(rows), columns_(columns) {
    const auto page  = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto bytes = static_cast<std::size_t>(rows * columns) * sizeof(Scalar);
    const auto inner = (bytes + page - 1) / page * page;
    all_             = inner + 2 * page;
    memory_          = static_cast<char*>(mmap(nullptr, all_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED || mprotect(memory_ + page, inner, PROT_READ | PROT_WRITE) != 0) std::abort();
    data_ = reinterpret_cast<Scalar*>(memory_ + page + (at_end ? inner - bytes : 0));
    for (std::int64_t e = 0; e < rows * columns; ++e) data_[e] = static_cast<Scalar>((e * 37 + 11) % 19 - 9);
  }
  ~GuardedMatrix() { munmap(memory_, all_); }
  GuardedMatrix(const GuardedMatrix&)            = delete;
  GuardedMatrix& operator=(const GuardedMatrix&) = delete;

  View view() const { return View(data_, static_cast<std::size_t>(rows_), static_cast<std::size_t>(columns_)); }
  HostMatrix values() const {
    HostMatrix values(rows_, columns_);
    for (std::int64_t e = 0; e < rows_ * columns_; ++e) values.values[static_cast<std::size_t>(e)] = double(data_[e]);
    return values;
  }

 private:
  std::int64_t rows_, columns_;
  std::size_t all_;
  char* memory_;
  Scalar* data_;
};

TYPED_TEST(KeptProduct, TouchesNothingBesideItsMatrices) {
  using Scalar = typename TestFixture::Scalar;
  using Matrix = GuardedMatrix<Scalar>;
  for (const Impl::Instructions instructions : all_instructions) {
    if (!Impl::has(instructions)) continue;
    Impl::use(instructions);
    for (const bool at_end : {false, true}) {
      for (const std::int64_t m : {1, 7, 13, 14, 15, 29}) {
        for (const std::int64_t n : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33}) {
          for (const std::int64_t k : {1, 3, 4, 5, 9, 16}) {
            const Matrix A(m, k, at_end), B(k, n, at_end), C(m, n, at_end);
            for (int call = 0; call < 2; ++call) gemm(this->exec_, A.view(), B.view(), C.view());
            // Small integers: every order of the sums is exact.
            ASSERT_TRUE(compare(C.values(), reference_product(1, A.values(), B.values()).value, HostMatrix(m, n)))
                << Impl::name(instructions) << ' ' << m << 'x' << n << 'x' << k;
          }
        }
      }
    }
  }
}

template <class Space, class Scalar>
struct SmallCall {
  using View                = Kokkos::View<Scalar**, Kokkos::LayoutRight, Space>;
  static constexpr int side = 16;

  View A{"A", side, side}, B{"B", side, side}, C{"C", side, side};

  SmallCall() {
    Kokkos::deep_copy(A, Scalar(2));
    Kokkos::deep_copy(B, Scalar(3));
    gemm(Space(), A, B, C);
    Kokkos::deep_copy(C, Scalar(42));
  }

  void expect_unwritten() const {
    for (std::size_t e = 0; e < C.size(); ++e) ASSERT_EQ(C.data()[e], Scalar(42));
  }
};

TYPED_TEST(KeptProduct, RefusesWhatTheFirstCallWouldRefuse) {
  using Scalar        = typename TestFixture::Scalar;
  using Space         = typename TestFixture::Space;
  using Small         = SmallCall<Space, Scalar>;
  using View          = Kokkos::View<Scalar**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>;
  using Owner         = typename Small::View;
  constexpr auto side = static_cast<std::size_t>(Small::side);
  const Small small;
  const auto &A = small.A, &B = small.B, &C = small.C;
  const Plan plan = make_plan(this->exec_, A, B, C);
  EXPECT_NE(plan.kept, nullptr);

  const auto refused = [&](const auto& a, const auto& b, const auto& c) {
    EXPECT_THROW(gemm(this->exec_, a, b, c), std::invalid_argument);
    EXPECT_THROW(gemm(this->exec_, plan, a, b, c), std::invalid_argument);
    small.expect_unwritten();
  };
  refused(C, B, C);
  refused(A, C, C);
  refused(Owner(View(C.data() + side * side - 1, side, side)), B, C);
  refused(Owner(View(C.data() - side * side + 1, side, side)), B, C);
  refused(A, B, Owner(View(nullptr, side, side)));
  refused(Owner(View(nullptr, side, side)), B, C);
  refused(A, Owner("B", side - 1, side), C);
  refused(Owner("A", side + 1, side), B, C);
  refused(A, Owner("B", side, side + 1), C);
  const Kokkos::View<Scalar*, Space> bias("bias", side + 1);
  EXPECT_THROW(gemm(this->exec_, A, B, C, Epilogue(Identity(), bias)), std::invalid_argument);
  // Neighbours are not refused.
  const Owner both("both", 2 * side, side);
  gemm(this->exec_, Owner(View(both.data(), side, side)), B, Owner(View(both.data() + side * side, side, side)));
}

TYPED_TEST(KeptProduct, DependsOnWhatTheCallAsksFor) {
  using Small = SmallCall<typename TestFixture::Space, typename TestFixture::Scalar>;
  const Small small;
  const auto &A = small.A, &B = small.B, &C = small.C;
  const auto expect = [&](double value) {
    for (std::size_t e = 0; e < C.size(); ++e) ASSERT_EQ(double(C.data()[e]), value);
  };
  constexpr double product = 6.0 * Small::side;
  gemm(this->exec_, A, B, C);
  expect(product);
  gemm(this->exec_, A, B, C, {}, {.beta = 1});
  expect(2 * product);
  gemm(this->exec_, A, B, C, {}, {.alpha = -1});
  expect(-product);
  gemm(this->exec_, A, B, C, Epilogue(Relu()), {.alpha = -1});
  expect(0);
  gemm(this->exec_, A, B, C, Epilogue(LeakyRelu{0.5}));
  expect(product);
  Kokkos::deep_copy(A, -2);
  gemm(this->exec_, A, B, C, Epilogue(LeakyRelu{0.5}));
  expect(-product / 2);
  gemm(this->exec_, A, B, C, Epilogue(LeakyRelu{0.25}));
  expect(-product / 4);
  gemm(this->exec_, A, B, C, {}, {.plan = {.tile = {4, 32, 3}}});
  expect(-product);
}

TYPED_TEST(KeptProduct, IsLaunchedWhereAToolListens) {
  using Small = SmallCall<typename TestFixture::Space, typename TestFixture::Scalar>;
  const Small small;
  const KokkosRecorder recorder;
  gemm(this->exec_, small.A, small.B, small.C);
  ASSERT_EQ(KokkosRecorder::events().launches.size(), 1u);
  EXPECT_EQ(KokkosRecorder::events().launches[0].label.rfind("Tegula::gemm[host", 0), 0u);
}

}  // namespace
}  // namespace Tegula::Test
