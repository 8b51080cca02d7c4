// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <tuple>

#include "Tegula_TestCudaCalls.hpp"

/// Matrices of more than 2^31 elements, and 2^32 bytes: operands, results, partial sums, and all that gemm_backward
/// takes. Every matrix is an outer product of two vectors of small integers, so that a product of matrices is one too,
/// exactly, and is checked where it lies. Needs a GPU of NVIDIA with tens of gigabytes.

namespace Tegula::Test {
namespace {

constexpr std::int64_t tall = 65600, wide = 33000, thin = 8;
static_assert(tall * wide > std::int64_t(1) << 31);
constexpr double gigabytes_of_one = tall * wide * 2e-9;

/// A vector: entry i is one of -2, -1, 1 and 2, or 0 where that is said. Vectors of one seed have the same entries
/// where both have any, so that their inner product is a sum of squares.
struct Entries {
  enum Kind { none, all, some, few, few_where_open, gate, one } kind = none;
  std::uint32_t seed                                                 = 0;

  KOKKOS_FUNCTION int operator()(std::int64_t i) const {
    const bool is_open = i % 3 != 0, is_far = i % 8191 == 5 || i == tall - 1 || i == wide - 1;
    switch (kind) {
      case none:
        return 0;
      case one:
        return 1;
      case gate:
        return is_open ? 1 : -1;
      case all:
        return entry(i);
      case some:
        return i % 13 == 5 ? entry(i) : 0;
      case few:
        return is_far ? entry(i) : 0;
      case few_where_open:
        return is_far && is_open ? entry(i) : 0;
    }
    return 0;
  }

 private:
  KOKKOS_FUNCTION int entry(std::int64_t i) const {
    std::uint32_t hash = (static_cast<std::uint32_t>(i) + seed) * 2654435761u;
    hash               = (hash ^ hash >> 15) * 2246822519u;
    return (hash >> 20 & 1 ? 1 : -1) * (1 + static_cast<int>(hash >> 25 & 1));
  }
};

/// The sum over i < count of the products of two vectors' entries.
int dot(const Entries& a, const Entries& b, std::int64_t count) {
  int sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += a(i) * b(i);
  return sum;
}

/// factor u v^T, plus w in every row, and then relu if that is said.
struct Outer {
  Entries u, v;
  int factor   = 1;
  Entries w    = {};
  bool is_relu = false;

  KOKKOS_FUNCTION float operator()(std::int64_t i, std::int64_t j) const {
    const int value = factor * u(i) * v(j) + w(j);
    return static_cast<float>(is_relu && value < 0 ? 0 : value);
  }
};

/// The elements of a matrix along its contiguous direction.
struct Elements {
  CudaMatrix matrix;
  bool by_rows      = matrix.stride(1) == 1;
  std::int64_t line = static_cast<std::int64_t>(by_rows ? matrix.extent(1) : matrix.extent(0));

  Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>> all() const {
    return {0, static_cast<std::int64_t>(matrix.extent(0) * matrix.extent(1))};
  }
  KOKKOS_FUNCTION std::int64_t row(std::int64_t e) const { return by_rows ? e / line : e % line; }
  KOKKOS_FUNCTION std::int64_t column(std::int64_t e) const { return by_rows ? e % line : e / line; }
};

struct Fill : Elements {
  Outer outer;

  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    matrix(row(e), column(e)) = static_cast<bhalf_t>(outer(row(e), column(e)));
  }
};

struct CountWrong : Elements {
  Outer outer;

  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t& wrong) const {
    // Not "differs": NaN would not.
    if (!(static_cast<float>(matrix(row(e), column(e))) == outer(row(e), column(e)))) ++wrong;
  }
};

void fill(const CudaMatrix& matrix, const Outer& outer) {
  const Fill kernel{{matrix}, outer};
  Kokkos::parallel_for("fill", kernel.all(), kernel);
}

// What a result holds before: a number that no result is.
void spoil(const CudaMatrix& matrix) { fill(matrix, {{Entries::one}, {Entries::one}, 1000}); }

std::int64_t wrong_elements(const CudaMatrix& matrix, const Outer& expected) {
  const CountWrong kernel{{matrix}, expected};
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce("count_wrong", kernel.all(), kernel, wrong);
  return wrong;
}

class CudaLarge : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  void SetUp() override {
    if (const std::string reason = why_not(family()); !reason.empty()) GTEST_SKIP() << reason;
  }
  const char* family() const { return std::get<0>(GetParam()); }
  bool by_rows() const { return std::get<1>(GetParam()); }

  // What a test skips with if so many large matrices, of two bytes an element, do not fit; else nothing.
  static std::string too_small_for(double matrices) {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    const double needed = matrices * gigabytes_of_one + 1, there = static_cast<double>(free) * 1e-9;
    return there >= needed ? ""
                           : std::to_string(there) + " GB of memory are free, " + std::to_string(needed) + " needed";
  }

  // Lines lie `pad` elements apart.
  CudaMatrix matrix(std::int64_t rows, std::int64_t columns, int pad = 0) const {
    const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
    const Kokkos::LayoutStride layout =
        by_rows() ? Kokkos::LayoutStride(m, n + pad, n, 1) : Kokkos::LayoutStride(m, 1, n, m + pad);
    return CudaMatrix(Kokkos::view_alloc(std::string("matrix"), Kokkos::WithoutInitializing), layout);
  }
  CudaMatrix matrix(std::int64_t rows, std::int64_t columns, const Outer& outer, int pad = 0) const {
    const CudaMatrix result = matrix(rows, columns, pad);
    fill(result, outer);
    return result;
  }
  static CudaVector row_of(const CudaMatrix& matrix) { return Kokkos::subview(matrix, 0, Kokkos::ALL()); }
  static CudaMatrix transposed(const CudaMatrix& matrix) {
    return CudaMatrix(matrix.data(),
                      Kokkos::LayoutStride(matrix.extent(1), matrix.stride(1), matrix.extent(0), matrix.stride(0)));
  }

  // C = relu(A B + bias), for A = a.u a.v^T and B = b.u b.v^T.
  void expect_product(const CudaMatrix& A, const Outer& a, const CudaMatrix& B, const Outer& b, const CudaMatrix& C,
                      int split_k = 0) const {
    const Entries w{Entries::all, 7};
    const int factor      = dot(a.v, b.u, static_cast<std::int64_t>(A.extent(1)));
    const CudaMatrix bias = matrix(1, static_cast<std::int64_t>(B.extent(1)), {{}, {}, 0, w});
    ASSERT_TRUE(factor > 0 && factor < 60);  // results are integers below 256, which bhalf_t holds
    spoil(C);
    run(CudaForward{A, B, row_of(bias), C}, {.family = family(), .split_k = split_k});
    EXPECT_EQ(wrong_elements(C, {a.u, b.v, factor, w, true}), 0);
  }

  // The gradients, for such an A and B, dC = d.u d.v^T, and a C that lets pass the rows of dC that are open.
  void expect_gradients(const GemmShape& shape, const Outer& a, const Outer& b, const Outer& d) const {
    const auto [m, n, k] = shape;
    const CudaMatrix A = matrix(m, k, a), B = matrix(k, n, b), dC = matrix(m, n, d),
                     C  = matrix(m, n, {{Entries::gate}, {Entries::one}});
    const CudaMatrix dA = matrix(m, k), dB = matrix(k, n), dbias = matrix(1, n);
    const Entries dZ_rows = {Entries::few_where_open, d.u.seed};
    for (const CudaMatrix& gradient : {dA, dB, dbias}) spoil(gradient);
    run(CudaBackward{dC, A, B, C, dA, dB, row_of(dbias)}, {.family = family()});
    EXPECT_EQ(wrong_elements(dA, {dZ_rows, b.u, dot(d.v, b.v, n)}), 0);
    EXPECT_EQ(wrong_elements(dB, {a.v, d.v, dot(a.u, dZ_rows, m)}), 0);
    EXPECT_EQ(wrong_elements(dbias, {{Entries::one}, d.v, dot({Entries::one}, dZ_rows, m)}), 0);
  }
};

// Seeds: 1 along m, 2 along k, 3 along n.
constexpr Entries u{Entries::all, 1}, p{Entries::all, 2}, v{Entries::all, 3};

INSTANTIATE_TEST_SUITE_P(Cuda, CudaLarge, testing::Combine(testing::ValuesIn(cuda_bhalf_families), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_by_rows" : "_by_columns");
                         });

TEST_P(CudaLarge, OperandsAreReadOnEitherSide) {
  if (const std::string reason = too_small_for(1); !reason.empty()) GTEST_SKIP() << reason;
  const Outer a{u, p}, b{{Entries::few, 2}, v};
  const CudaMatrix A = matrix(tall, wide, a), B = matrix(wide, thin, b), C = matrix(tall, thin);
  expect_product(A, a, B, b, C);
  expect_product(transposed(B), {b.v, b.u}, transposed(A), {a.v, a.u}, transposed(C));
}

// The copy is as large.
TEST_P(CudaLarge, OperandsThatDoNotLieInRunsAreRead) {
  if (const std::string reason = too_small_for(2); !reason.empty()) GTEST_SKIP() << reason;
  const Outer a{u, p}, b{{Entries::few, 2}, v};
  expect_product(matrix(tall, wide, a, 1), a, matrix(wide, thin, b), b, matrix(tall, thin));
}

// 32 of the contiguous elements of every line; too few to be copied first.
TEST_P(CudaLarge, StripsOfOperandsAreRead) {
  if (const std::string reason = too_small_for(1); !reason.empty()) GTEST_SKIP() << reason;
  const CudaMatrix large = matrix(tall, wide, {{Entries::one}, {Entries::one}});
  const auto few_lines   = std::make_pair(1, 33);
  const CudaMatrix A     = by_rows() ? CudaMatrix(Kokkos::subview(large, Kokkos::ALL(), few_lines))
                                     : CudaMatrix(Kokkos::subview(large, few_lines, Kokkos::ALL()));
  const auto m = static_cast<std::int64_t>(A.extent(0)), k = static_cast<std::int64_t>(A.extent(1));
  const Outer a{u, p}, b{{by_rows() ? Entries::some : Entries::few, 2}, v};
  fill(A, a);
  const CudaMatrix B = matrix(k, thin, b), C = matrix(m, thin);
  expect_product(A, a, B, b, C);
  EXPECT_EQ(plan_of(CudaForward{A, B, row_of(B), C}, {.family = family()}).products[0].left_copy_bytes > 0,
            std::string(family()) == "wgmma");
}

TEST_P(CudaLarge, ResultsAreStored) {
  if (const std::string reason = too_small_for(1); !reason.empty()) GTEST_SKIP() << reason;
  constexpr std::int64_t k = 128;
  const Outer a{u, p}, b{{Entries::some, 2}, v};
  const CudaMatrix A = matrix(tall, k, a), B = matrix(k, wide, b);
  expect_product(A, a, B, b, matrix(tall, wide));
  expect_product(A, a, B, b, matrix(tall, wide, 1));
}

// A slice of partial sums, of four bytes each, for each half.
TEST_P(CudaLarge, PartialSumsAreStoredAndAdded) {
  if (const std::string reason = too_small_for(5); !reason.empty()) GTEST_SKIP() << reason;
  constexpr std::int64_t k = 128;
  const Outer a{u, p}, b{{Entries::some, 2}, v};
  expect_product(matrix(tall, k, a), a, matrix(k, wide, b), b, matrix(tall, wide), 2);
}

TEST_P(CudaLarge, GradientsOfAnOperandAreFormed) {
  if (const std::string reason = too_small_for(2); !reason.empty()) GTEST_SKIP() << reason;
  expect_gradients({tall, thin, wide}, {u, p}, {p, v}, {{Entries::few, 1}, v});
}

// dC, C, and dZ, which is formed in memory.
TEST_P(CudaLarge, GradientsOfAResultAreRead) {
  if (const std::string reason = too_small_for(3); !reason.empty()) GTEST_SKIP() << reason;
  expect_gradients({tall, wide, thin}, {u, p}, {p, {Entries::few, 3}}, {{Entries::few, 1}, v});
}

}  // namespace
}  // namespace Tegula::Test
