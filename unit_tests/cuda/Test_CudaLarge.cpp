// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "Tegula_TestCudaCalls.hpp"
#include "cuda/Tegula_CudaMachine.hpp"
#include "cuda/direct/Tegula_DirectTimes.hpp"

/// Matrices of more than 2^31 elements, and 2^32 bytes: operands, results, partial sums, and all that gemm_backward
/// takes. Every matrix is an outer product of two vectors of small integers, so that a product of matrices is one too,
/// exactly, and is checked where it lies. Needs a GPU of NVIDIA with tens of gigabytes.

namespace Tegula::Test {
namespace {

constexpr std::int64_t tall = 65600, wide = 33000, thin = 8;
static_assert(tall * wide > std::int64_t(1) << 31);

/// A vector: entry i is one of -2, -1, 1 and 2, or 0 where its kind has none. Vectors of one seed have the same entries
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

/// factor u v^T, plus w in every row, and then relu if is_relu.
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
template <class T>
struct Elements {
  CudaMatrix<T> matrix;
  bool by_rows      = matrix.stride(1) == 1;
  std::int64_t line = static_cast<std::int64_t>(by_rows ? matrix.extent(1) : matrix.extent(0));

  Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>> all() const {
    return {0, static_cast<std::int64_t>(matrix.extent(0) * matrix.extent(1))};
  }
  KOKKOS_FUNCTION std::int64_t row(std::int64_t e) const { return by_rows ? e / line : e % line; }
  KOKKOS_FUNCTION std::int64_t column(std::int64_t e) const { return by_rows ? e % line : e / line; }
};

template <class T>
struct Fill : Elements<T> {
  Outer outer;

  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    const std::int64_t i = this->row(e), j = this->column(e);
    this->matrix(i, j) = static_cast<T>(outer(i, j));
  }
};

template <class T>
struct CountWrong : Elements<T> {
  Outer outer;

  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t& wrong) const {
    const std::int64_t i = this->row(e), j = this->column(e);
    // Not "differs": NaN would not.
    if (!(static_cast<float>(this->matrix(i, j)) == outer(i, j))) ++wrong;
  }
};

template <class T>
void fill(const CudaMatrix<T>& matrix, const Outer& outer) {
  const Fill<T> kernel{{matrix}, outer};
  Kokkos::parallel_for("fill", kernel.all(), kernel);
}

// Fills a result with a number that no result is.
template <class T>
void spoil(const CudaMatrix<T>& matrix) {
  fill(matrix, {{Entries::one}, {Entries::one}, 1000});
}

template <class T>
std::int64_t wrong_elements(const CudaMatrix<T>& matrix, const Outer& expected) {
  const CountWrong<T> kernel{{matrix}, expected};
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce("count_wrong", kernel.all(), kernel, wrong);
  return wrong;
}

// Seeds: 1 along m, 2 along k, 3 along n.
constexpr Entries u{Entries::all, 1}, p{Entries::all, 2}, v{Entries::all, 3};

/// Calls of one CudaWay, on row-major or column-major matrices.
template <class T>
struct LargeCalls {
  using Matrix = CudaMatrix<T>;

  const CudaWay& way;
  bool by_rows;

  // Lines lie `pad` elements apart.
  Matrix matrix(std::int64_t rows, std::int64_t columns, int pad = 0) const {
    const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
    const Kokkos::LayoutStride layout =
        by_rows ? Kokkos::LayoutStride(m, n + pad, n, 1) : Kokkos::LayoutStride(m, 1, n, m + pad);
    return Matrix(Kokkos::view_alloc(std::string("matrix"), Kokkos::WithoutInitializing), layout);
  }
  Matrix matrix(std::int64_t rows, std::int64_t columns, const Outer& outer, int pad = 0) const {
    const Matrix result = matrix(rows, columns, pad);
    fill(result, outer);
    return result;
  }
  static CudaVector<T> row_of(const Matrix& matrix) { return Kokkos::subview(matrix, 0, Kokkos::ALL()); }
  static Matrix transposed(const Matrix& matrix) {
    return Matrix(matrix.data(),
                  Kokkos::LayoutStride(matrix.extent(1), matrix.stride(1), matrix.extent(0), matrix.stride(0)));
  }

  // C = relu(A B + bias), for A = a.u a.v^T and B = b.u b.v^T.
  void expect_product(const Matrix& A, const Outer& a, const Matrix& B, const Outer& b, const Matrix& C,
                      int split_k = 0) const {
    const Entries w{Entries::all, 7};
    const int factor  = dot(a.v, b.u, static_cast<std::int64_t>(A.extent(1)));
    const Matrix bias = matrix(1, static_cast<std::int64_t>(B.extent(1)), {{}, {}, 0, w});
    ASSERT_TRUE(factor > 0 && factor < 60);  // results are integers below 256, which bhalf_t holds
    spoil(C);
    run(CudaForward<T>{A, B, row_of(bias), C}, way, split_k);
    EXPECT_EQ(wrong_elements(C, {a.u, b.v, factor, w, true}), 0);
  }

  // The gradients of A and B = b, for dC = d.u d.v^T, and a C that lets pass the rows of dC that are open.
  void expect_gradients(const Matrix& A, const Outer& a, const Outer& b, const Matrix& dC, const Outer& d,
                        const Matrix& C, const Matrix& dA) const {
    const auto m = static_cast<std::int64_t>(A.extent(0)), k = static_cast<std::int64_t>(A.extent(1)),
               n = static_cast<std::int64_t>(dC.extent(1));
    fill(A, a);
    fill(dC, d);
    fill(C, {{Entries::gate}, {Entries::one}});
    const Matrix B = matrix(k, n, b), dB = matrix(k, n), dbias = matrix(1, n);
    const Entries dZ_rows = {Entries::few_where_open, d.u.seed};
    for (const Matrix& gradient : {dA, dB, dbias}) spoil(gradient);
    run(CudaBackward<T>{dC, A, B, C, dA, dB, row_of(dbias)}, way);
    EXPECT_EQ(wrong_elements(dA, {dZ_rows, b.u, dot(d.v, b.v, n)}), 0);
    EXPECT_EQ(wrong_elements(dB, {a.v, d.v, dot(a.u, dZ_rows, m)}), 0);
    EXPECT_EQ(wrong_elements(dbias, {{Entries::one}, d.v, dot({Entries::one}, dZ_rows, m)}), 0);
  }
  void expect_gradients(const GemmShape& shape, const Outer& a, const Outer& b, const Outer& d) const {
    const auto [m, n, k] = shape;
    expect_gradients(matrix(m, k), a, b, matrix(m, n), d, matrix(m, n), matrix(m, k));
  }
};

/// A CudaWay, by name, and whether matrices are row-major.
using Large = std::tuple<const char*, bool>;

class CudaLarge : public testing::TestWithParam<Large> {
 protected:
  void SetUp() override { needs_family(way().family); }
  static const CudaWay& way() { return way_named(std::get<0>(GetParam())); }

  // Calls test(calls) with the way's elements, unless so many large matrices do not fit. A large operand may be copied:
  // in three parts of 16 bits, if floats are split.
  template <class Test>
  static void with_calls(double matrices, double large_operands, const Test& test) {
    switch (way().element) {
      case CudaElement::f32:
        return with_calls_of<float>(matrices, large_operands, test);
      case CudaElement::f64:
        return with_calls_of<double>(matrices, large_operands, test);
      default:
        with_calls_of<bhalf_t>(matrices, large_operands, test);
    }
  }

 private:
  template <class T, class Test>
  static void with_calls_of(double matrices, double large_operands, const Test& test) {
    constexpr double gigabytes = tall * wide * 1e-9;  // of one byte an element
    const double copies        = way().compute == Compute::fp32_split ? 8 * large_operands : 0;
    const double needed        = (matrices * sizeof(T) + copies) * gigabytes + 1;
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    const double there = static_cast<double>(free) * 1e-9;
    if (there < needed) GTEST_SKIP() << there << " GB of memory are free, " << needed << " needed";
    test(LargeCalls<T>{way(), std::get<1>(GetParam())});
  }
};

// Each family has the tests whose calls it takes.
class CudaLargeOperands : public CudaLarge {};
class CudaLargeStrips : public CudaLarge {};
class CudaLargeResults : public CudaLarge {};
class CudaLargeTall : public CudaLarge {};
class CudaLargeShallow : public CudaLarge {};

constexpr auto name_of = [](const testing::TestParamInfo<Large>& info) {
  return std::string(std::get<0>(info.param)) + (std::get<1>(info.param) ? "_by_rows" : "_by_columns");
};
auto either_way(std::initializer_list<const char*> ways) {
  return testing::Combine(testing::ValuesIn(std::vector<const char*>(ways)), testing::Bool());
}
auto by_rows(std::initializer_list<const char*> ways) {
  return testing::Combine(testing::ValuesIn(std::vector<const char*>(ways)), testing::Values(true));
}
const auto anything = either_way({"portable", "portable_f32", "portable_f64", "direct", "direct_f32", "direct_f64",
                                  "mma", "wgmma", "mma_f64", "mma_tf32", "simt", "tf32", "tf32x3", "fp32_split"});

INSTANTIATE_TEST_SUITE_P(Anything, CudaLarge, anything, name_of);
INSTANTIATE_TEST_SUITE_P(Anything, CudaLargeOperands, anything, name_of);
INSTANTIATE_TEST_SUITE_P(Streamed, CudaLargeOperands, either_way({"gemv", "gemv_f64", "narrow", "narrow_f64"}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Anything, CudaLargeStrips, anything, name_of);
INSTANTIATE_TEST_SUITE_P(Short, CudaLargeStrips, by_rows({"outer", "outer_f32", "outer_mma", "narrow", "narrow_f64"}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Anything, CudaLargeResults, anything, name_of);
INSTANTIATE_TEST_SUITE_P(Short, CudaLargeResults, either_way({"panel", "outer", "outer_f32", "outer_f64", "outer_mma"}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Long, CudaLargeTall, either_way({"tall", "tall_f64", "shallow", "shallow_f32", "shallow_f64"}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Short, CudaLargeShallow, either_way({"shallow", "shallow_f32", "shallow_f64"}), name_of);

TEST_P(CudaLargeOperands, AreReadOnEitherSide) {
  with_calls(1, 1, [](const auto& calls) {
    const Outer a{u, p}, b{{Entries::few, 2}, v};
    const auto A = calls.matrix(tall, wide, a), B = calls.matrix(wide, thin, b), C = calls.matrix(tall, thin);
    calls.expect_product(A, a, B, b, C);
    calls.expect_product(calls.transposed(B), {b.v, b.u}, calls.transposed(A), {a.v, a.u}, calls.transposed(C));
  });
}

// The copy of the large operand has as many elements.
TEST_P(CudaLargeOperands, ThatDoNotLieInRunsAreRead) {
  with_calls(2, 1, [](const auto& calls) {
    const Outer a{u, p}, b{{Entries::few, 2}, v};
    calls.expect_product(calls.matrix(tall, wide, a, 1), a, calls.matrix(wide, thin, b), b, calls.matrix(tall, thin));
  });
}

// 32 of the contiguous elements of every line.
TEST_P(CudaLargeStrips, AreRead) {
  with_calls(1, 0, [](const auto& calls) {
    using Matrix         = typename std::decay_t<decltype(calls)>::Matrix;
    const Matrix large   = calls.matrix(tall, wide, {{Entries::one}, {Entries::one}});
    const auto few_lines = std::make_pair(1, 33);
    const Matrix A       = calls.by_rows ? Matrix(Kokkos::subview(large, Kokkos::ALL(), few_lines))
                                         : Matrix(Kokkos::subview(large, few_lines, Kokkos::ALL()));
    const auto m = static_cast<std::int64_t>(A.extent(0)), k = static_cast<std::int64_t>(A.extent(1));
    const Outer a{u, p}, b{{calls.by_rows ? Entries::some : Entries::few, 2}, v};
    fill(A, a);
    const Matrix B = calls.matrix(k, thin, b), C = calls.matrix(m, thin);
    calls.expect_product(A, a, B, b, C);
    if (calls.way.family != std::string("wgmma")) return;  // others may gather what does not lie in runs
    using Forward = CudaForward<typename Matrix::non_const_value_type>;
    EXPECT_GT(plan_of(Forward{A, B, calls.row_of(B), C}, calls.way).products[0].left_copy_bytes, 0u);
  });
}

TEST_P(CudaLargeResults, AreStored) {
  with_calls(1, 0, [](const auto& calls) {
    const std::int64_t k = calls.way.most_k > 0 ? calls.way.most_k : 128;
    const Outer a{u, p}, b{{Entries::some, 2}, v};
    const auto A = calls.matrix(tall, k, a), B = calls.matrix(k, wide, b);
    calls.expect_product(A, a, B, b, calls.matrix(tall, wide));
    if (calls.way.lines <= CudaLines::runs) calls.expect_product(A, a, B, b, calls.matrix(tall, wide, 1));
  });
}

// Each half of the inner dimension has a slice of partial sums, of four bytes each where elements have two. Teams of
// direct form clusters instead, if kernels are launched so that there are any.
TEST_P(CudaLarge, PartialSumsAreStoredAndAdded) {
  const bool shares = way().splits || Impl::has_clusters(Impl::cuda_machine(Kokkos::Cuda()));
  with_calls(way().element == CudaElement::bhalf ? 5 : 3, 0, [parts = shares ? 2 : 1](const auto& calls) {
    constexpr std::int64_t k = 128;
    const Outer a{u, p}, b{{Entries::some, 2}, v};
    calls.expect_product(calls.matrix(tall, k, a), a, calls.matrix(k, wide, b), b, calls.matrix(tall, wide), parts);
  });
}

TEST_P(CudaLarge, GradientsOfAnOperandAreFormed) {
  with_calls(2, 1, [](const auto& calls) {
    calls.expect_gradients({tall, thin, wide}, {u, p}, {p, v}, {{Entries::few, 1}, v});
  });
}

// dC and C are large, and so is dZ, which is formed in memory.
TEST_P(CudaLarge, GradientsOfAResultAreRead) {
  with_calls(3, 2, [](const auto& calls) {
    calls.expect_gradients({tall, wide, thin}, {u, p}, {p, {Entries::few, 3}}, {{Entries::few, 1}, v});
  });
}

// Strips of one array, whose lines lie so far apart that the last begins beyond 2^31 elements.
TEST_P(CudaLargeTall, GradientsOfStripsAreFormed) {
  with_calls(1.1, 0, [](const auto& calls) {
    using Matrix               = typename std::decay_t<decltype(calls)>::Matrix;
    constexpr std::size_t rows = tall, columns = 32, pitch = 70000000;
    static_assert((columns - 1) * pitch > std::size_t(1) << 31 && wide % 8 == 0 && pitch % 8 == 0);
    const Kokkos::View<typename Matrix::value_type*, Kokkos::CudaSpace> array(
        Kokkos::view_alloc(std::string("array"), Kokkos::WithoutInitializing), columns * pitch);
    const auto strip = [&](std::size_t number) {
      return calls.by_rows ? Matrix(array.data() + 64 * number, Kokkos::LayoutStride(rows, wide, columns, 1))
                           : Matrix(array.data() + rows * number, Kokkos::LayoutStride(rows, 1, columns, pitch));
    };
    calls.expect_gradients(strip(0), {u, p}, {p, v}, strip(1), {{Entries::few, 1}, v}, strip(2), strip(3));
  });
}

TEST_P(CudaLargeShallow, GradientsOfLargeResultsAreFormed) {
  with_calls(2, 0, [](const auto& calls) {
    calls.expect_gradients({tall, wide, thin}, {u, p}, {p, {Entries::few, 3}}, {{Entries::few, 1}, v});
  });
}

}  // namespace
}  // namespace Tegula::Test
