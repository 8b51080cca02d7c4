// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "Tegula_TestBackward.hpp"
#include "Tegula_TestTypes.hpp"

/// Strides beyond 2^31 elements. The lines of matrices lie far apart in mappings of tens of gigabytes, of which only
/// the pages that they touch take memory.

namespace Tegula::Test {
namespace {

/// Address space without memory behind it.
class Mapping {
 public:
  explicit Mapping(std::size_t bytes)
      : bytes_(bytes),
        begin_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Mapping() {
    if (*this) munmap(begin_, bytes_);
  }
  Mapping(const Mapping&)            = delete;
  Mapping& operator=(const Mapping&) = delete;

  explicit operator bool() const { return begin_ != MAP_FAILED; }
  template <class T>
  T* data() const {
    return static_cast<T*>(begin_);
  }

 private:
  std::size_t bytes_;
  void* begin_;
};

enum class Far { rows, columns };

template <class C>
class HostLarge : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Scalar = typename C::Scalar;
  using View   = Kokkos::View<Scalar**, Kokkos::LayoutStride, Kokkos::HostSpace>;
  using Vector = Kokkos::View<Scalar*, Kokkos::LayoutStride, Kokkos::HostSpace>;

  static constexpr std::int64_t distance = (std::int64_t(1) << 31) + 11, few = 3, some = 70;
  static constexpr std::array<const char*, 2> families{"host", "portable"};

  void SetUp() override {
    for (const Mapping& mapping : mappings_)
      if (!mapping) GTEST_SKIP() << "no mapping of " << mapped_bytes << " bytes: " << std::strerror(errno);
  }

  // Rows, or columns, lie `distance` apart. Matrices of one test share no element.
  View matrix(Far far, std::int64_t rows, std::int64_t columns) {
    const std::size_t m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns),
                      d = static_cast<std::size_t>(distance);
    EXPECT_LE(far == Far::rows ? rows : columns, few);
    const auto which    = static_cast<std::size_t>(far);
    Scalar* const begin = mappings_[which].template data<Scalar>() + places_[which];
    places_[which] += far == Far::rows ? columns : rows;
    return View(begin, far == Far::rows ? Kokkos::LayoutStride(m, d, n, 1) : Kokkos::LayoutStride(m, 1, n, d));
  }
  View random(Far far, std::int64_t rows, std::int64_t columns) {
    const View result = matrix(far, rows, columns);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) result(i, j) = static_cast<Scalar>(uniform(random_, -1, 1));
    return result;
  }
  // A vector whose elements lie as far apart.
  Vector vector(std::int64_t n) { return Kokkos::subview(random(Far::columns, 1, n), 0, Kokkos::ALL()); }

  static HostMatrix values(const View& view) {
    HostMatrix result(static_cast<std::int64_t>(view.extent(0)), static_cast<std::int64_t>(view.extent(1)));
    for (std::int64_t i = 0; i < result.rows; ++i)
      for (std::int64_t j = 0; j < result.columns; ++j) result(i, j) = to_double(view(i, j));
    return result;
  }
  static HostMatrix values(const Vector& vector) {
    HostMatrix result(1, static_cast<std::int64_t>(vector.extent(0)));
    for (std::int64_t j = 0; j < result.columns; ++j) result(0, j) = to_double(vector(j));
    return result;
  }

  void expect_gemm(const GemmShape& s, Far a, Far b, Far c, const PlanOptions& plan) {
    places_      = {};
    const View A = random(a, s.m, s.k), B = random(b, s.k, s.n), C_ = random(c, s.m, s.n), Z = matrix(c, s.m, s.n);
    Reference z = reference_product(1, values(A), values(B));
    add(z, -0.5, values(C_));
    const GemmOptions options{.beta = -0.5, .plan = plan};
    if (s.n <= few) {
      const Vector bias = vector(s.n);
      add_row(z, values(bias));
      gemm(Space(), A, B, C_, Epilogue(Relu(), bias, Z), options);
    } else {
      gemm(Space(), A, B, C_, Epilogue(Relu(), none, Z), options);
    }
    EXPECT_TRUE(matches<Scalar>(values(Z), z)) << plan.family;
    EXPECT_TRUE(matches_activated<Scalar>(values(C_), z, Relu())) << plan.family;
  }

  void expect_backward(const GemmShape& s, Far a, Far b, Far c, const PlanOptions& plan) {
    places_      = {};
    const View A = random(a, s.m, s.k), B = random(b, s.k, s.n), dC = random(c, s.m, s.n), saved = random(c, s.m, s.n);
    const View dA = random(a, s.m, s.k), dB = matrix(b, s.k, s.n);
    const Reference dZ = reference_dZ(values(dC), values(saved), Tanh());
    auto expected      = reference_gradients(dZ, values(A), values(B), 0.5);
    add(expected.dA, 1, values(dA));
    const GemmBackwardOptions options{.alpha = 0.5, .dA = Update::accumulate, .plan = plan};
    if (s.n <= few) {
      const Vector dbias = vector(s.n);
      gemm_backward(Space(), dC, A, B, Output(saved), dA, dB, dbias, Tanh(), options);
      EXPECT_TRUE(matches<Scalar>(values(dbias), expected.dbias)) << plan.family;
    } else {
      gemm_backward(Space(), dC, A, B, Output(saved), dA, dB, none, Tanh(), options);
    }
    EXPECT_TRUE(matches<Scalar>(values(dA), expected.dA)) << plan.family;
    EXPECT_TRUE(matches<Scalar>(values(dB), expected.dB)) << plan.family;
  }

  // Every dimension is the long one once. The rows or columns of a matrix lie far apart in its other dimension.
  template <class Expect>
  void for_every_direction(const Expect& expect) {
    for (const char* family : families) {
      for (const int split_k : {1, 2}) {
        const PlanOptions plan{.family = family, .split_k = split_k};
        expect(GemmShape{some, few, few}, Far::columns, Far::rows, Far::columns, plan);
        expect(GemmShape{few, some, few}, Far::rows, Far::rows, Far::rows, plan);
        expect(GemmShape{few, few, some}, Far::rows, Far::columns, Far::rows, plan);
        expect(GemmShape{few, few, some}, Far::rows, Far::columns, Far::columns, plan);
        expect(GemmShape{few, few, few}, Far::columns, Far::columns, Far::columns, plan);
      }
    }
  }

 private:
  // Ten matrices side by side in every line.
  static constexpr std::size_t mapped_bytes =
      static_cast<std::size_t>((few - 1) * distance + 10 * some) * sizeof(Scalar);

  Random random_ = make_random();
  // One for each direction.
  std::array<Mapping, 2> mappings_{Mapping{mapped_bytes}, Mapping{mapped_bytes}};
  std::array<std::int64_t, 2> places_{};
};

using HostLargeCases = typename GoogleTypes<
    typename Cases<HostSpaces, TypeList<Kokkos::LayoutStride>, TypeList<double, float>>::type>::type;
TYPED_TEST_SUITE(HostLarge, HostLargeCases, CaseName);

TYPED_TEST(HostLarge, GemmTakesAnyStride) {
  this->for_every_direction([this](const auto&... arguments) { this->expect_gemm(arguments...); });
}

TYPED_TEST(HostLarge, GemmBackwardTakesAnyStride) {
  this->for_every_direction([this](const auto&... arguments) { this->expect_backward(arguments...); });
}

}  // namespace
}  // namespace Tegula::Test
