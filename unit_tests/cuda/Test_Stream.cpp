// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <limits>

#include "Tegula_TestCudaFamily.hpp"

/// The stream family gives what the portable family gives, whichever side is the long one, whether long matrices lie by
/// rows or by columns and wherever they begin, whatever the widths, the epilogue and the tile: all are drawn. The
/// long operand and the result lie each for itself. Memory
/// around the matrices holds NaN, which may be read, but must not be seen, and must not be written. Needs a GPU of
/// compute capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct StreamFacts {
  static constexpr const char* name = "stream";
};

/// A matrix of many lines, rows without gaps or contiguous columns, in the middle of other memory.
template <class T>
class LongMatrix {
 public:
  using View = Kokkos::View<T**, Kokkos::LayoutStride, Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  LongMatrix(std::mt19937_64& random, std::int64_t lines, std::int64_t width, bool by_rows, int begins, int gap)
      : lines_(lines),
        width_(width),
        line_stride_(by_rows ? width : 1),
        stride_(by_rows ? 1 : lines + gap),
        begins_(guard + begins),
        memory_("memory", static_cast<std::size_t>(2 * guard + begins + (by_rows ? lines : lines + gap) * width)),
        host_("host", memory_.extent(0)) {
    Kokkos::deep_copy(host_, static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
    std::uniform_real_distribution<double> drawn(-1, 1);
    for (std::int64_t i = 0; i < lines; ++i)
      for (std::int64_t j = 0; j < width; ++j) host_(at(i, j)) = static_cast<T>(drawn(random));
    Kokkos::deep_copy(memory_, host_);
  }

  /// lines x width, or its transpose.
  View view(bool is_transposed) const {
    return is_transposed ? View(memory_.data() + begins_, Kokkos::LayoutStride(width_, stride_, lines_, line_stride_))
                         : View(memory_.data() + begins_, Kokkos::LayoutStride(lines_, line_stride_, width_, stride_));
  }

  /// The largest difference to another one that lies alike, beyond that of neighbours in 16 bits; infinity where either
  /// holds NaN inside, or a number around.
  double difference(const LongMatrix& other) const {
    constexpr double rounded = sizeof(T) == 2 ? 2 * ScalarTraits<T>::unit_roundoff : 0;
    const auto mine          = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), memory_),
               theirs        = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), other.memory_);
    double largest           = 0;
    std::int64_t seen        = 0;
    for (std::int64_t i = 0; i < lines_; ++i)
      for (std::int64_t j = 0; j < width_; ++j, ++seen) {
        const auto a = static_cast<double>(mine(at(i, j))), b = static_cast<double>(theirs(at(i, j)));
        const double apart = std::abs(a - b) - rounded * std::max(std::abs(a), std::abs(b));
        largest            = std::isnan(apart) ? std::numeric_limits<double>::infinity() : std::max(largest, apart);
      }
    for (std::size_t a = 0; a < mine.extent(0); ++a) seen -= std::isnan(static_cast<double>(mine(a))) ? 0 : 1;
    return seen == 0 ? largest : std::numeric_limits<double>::infinity();
  }

 private:
  static constexpr std::int64_t guard = 64;
  std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(begins_ + i * line_stride_ + j * stride_);
  }

  std::int64_t lines_, width_, line_stride_, stride_, begins_;
  Kokkos::View<T*, Space> memory_;
  Kokkos::View<T*, Kokkos::HostSpace> host_;
};

template <class T>
class Stream : public CudaFamily<T, StreamFacts> {
 protected:
  using Element = typename T::Input;

  static std::vector<TileShape> tiles() {
    if (sizeof(Element) == 2)
      return {{128, 8, 8},  {64, 8, 32},  {64, 16, 16}, {32, 64, 16}, {64, 32, 32},
              {32, 16, 64}, {32, 64, 64}, {32, 8, 128}, {32, 32, 128}};
    if (sizeof(Element) == 4)
      return {{128, 4, 8},   {128, 8, 8},  {32, 8, 32},  {16, 8, 64},  {16, 8, 128},
              {128, 16, 16}, {32, 16, 32}, {64, 24, 24}, {32, 32, 32}, {64, 32, 32}};
    return {{64, 4, 8},   {64, 8, 8},   {32, 8, 32},  {16, 8, 64},  {64, 16, 16},
            {16, 16, 32}, {16, 24, 24}, {32, 24, 24}, {16, 32, 32}, {32, 32, 32}};
  }

  std::int64_t draw(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(this->random_() % static_cast<std::uint64_t>(most - least + 1));
  }

  void agrees_with_portable(int number, std::int64_t lines, const TileShape& tile, bool with_planner) {
    const std::int64_t n = draw(1, std::min<std::int64_t>(tile.n, lines - 1)), k = draw(1, tile.k);
    const bool by_rows = draw(0, 1) == 0, is_transposed = draw(0, 1) == 0;
    const bool result_by_rows = draw(0, 1) == 0;
    constexpr int block       = 16 / sizeof(Element);
    // Half of the matrices begin with chunks of 16 bytes, and so do their columns.
    const bool is_aligned = draw(0, 1) == 0;
    const int begins      = is_aligned ? 0 : static_cast<int>(draw(0, block - 1));
    const int gap =
        static_cast<int>(is_aligned ? (block - lines % block) % block + block * draw(0, 1) : draw(0, block + 1));
    const auto matrix = [&](std::int64_t width, bool rows) {
      return LongMatrix<Element>(this->random_, lines, width, rows, begins, gap);
    };
    const auto streamed = matrix(k, by_rows), C = matrix(n, result_by_rows), Z = matrix(n, result_by_rows);
    const auto expected_C = copy_of(C, lines, n, result_by_rows, begins, gap),
               expected_Z = copy_of(Z, lines, n, result_by_rows, begins, gap);
    const LongMatrix<Element> held(this->random_, k, n, draw(0, 1) == 0, 0, 0);
    const LongMatrix<Element> bias(this->random_, is_transposed ? lines : n, 1, true, begins, 0);
    GemmOptions options{.alpha = draw(0, 1) == 0 ? 1 : -0.75, .beta = draw(0, 2) == 0 ? 0.5 : 0};
    const auto run = [&](const LongMatrix<Element>& to, const LongMatrix<Element>& pre, const PlanOptions& plan) {
      options.plan   = plan;
      const auto A   = is_transposed ? held.view(true) : streamed.view(false);
      const auto B   = is_transposed ? streamed.view(true) : held.view(false);
      const auto row = Kokkos::subview(bias.view(true), 0, Kokkos::ALL);
      const auto c   = to.view(is_transposed);
      switch (number % 4) {
        case 0:
          return gemm(Space(), A, B, c, {}, options);
        case 1:
          return gemm(Space(), A, B, c, Epilogue(Relu(), row), options);
        case 2:
          return gemm(Space(), A, B, c, Epilogue(GeluTanh(), row, pre.view(is_transposed)), options);
        default:
          return gemm(Space(), A, B, c, Epilogue(Identity(), none, pre.view(is_transposed)), options);
      }
    };
    run(C, Z, {.family = "stream", .tile = with_planner ? TileShape{} : is_transposed ? tile.transposed() : tile});
    run(expected_C, expected_Z, {.family = "portable"});
    using Sum            = std::conditional_t<sizeof(Element) == 2, float, Element>;
    const double allowed = 16 * ScalarTraits<Sum>::unit_roundoff * (double(k) + 3);
    const auto what      = [&] {
      return std::to_string(number) + ": " + std::to_string(lines) + " lines, n " + std::to_string(n) + ", k " +
             std::to_string(k) + (by_rows ? ", rows" : ", columns") + (result_by_rows ? " to rows" : " to columns") +
             (is_transposed ? ", transposed" : "") + ", begins " + std::to_string(begins) + ", gap " +
             std::to_string(gap);
    };
    ASSERT_LE(C.difference(expected_C), allowed) << what();
    ASSERT_LE(Z.difference(expected_Z), allowed) << what();
  }

  LongMatrix<Element> copy_of(const LongMatrix<Element>& matrix, std::int64_t lines, std::int64_t width, bool by_rows,
                              int begins, int gap) {
    LongMatrix<Element> copy(this->random_, lines, width, by_rows, begins, gap);
    Kokkos::deep_copy(Space(), copy.view(false), matrix.view(false));
    return copy;
  }
};

using StreamTypes = testing::Types<CudaTypes<float, float>, CudaTypes<double, double>, CudaTypes<bhalf_t, bhalf_t>,
                                   CudaTypes<half_t, half_t>>;
TYPED_TEST_SUITE(Stream, StreamTypes, CudaTypesName);

TYPED_TEST(Stream, GemmIsWhatThePortableFamilyComputes) {
  for (int number = 0; number < 400 && !this->HasFatalFailure(); ++number) {
    const TileShape tile     = pick(this->random_, this->tiles());
    const std::int64_t tiles = pick(this->random_, std::vector<std::int64_t>{0, 1, 2, 4, 9, 40});
    this->agrees_with_portable(number, tiles * tile.m + this->draw(2, tile.m + 1), tile, number % 8 == 0);
  }
}

// So long that every warp has several tiles, in two stages that take turns.
TYPED_TEST(Stream, GoesOnFromTileToTile) {
  int number = 0;
  for (const TileShape& tile : this->tiles())
    for (int trial = 0; trial < 2 && !this->HasFatalFailure(); ++trial)
      this->agrees_with_portable(number++, 132 * 8 * 4 * std::int64_t(tile.m) * 2 + 77, tile, false);
}

// alpha times B would be beyond the range of float, and times A below it; alpha times the sum is not.
TYPED_TEST(Stream, ScalesSumsAndNotFactors) {
  using Element = typename TypeParam::Input;
  if constexpr (std::is_same_v<Element, half_t>) GTEST_SKIP() << "half_t does not reach so far";
  constexpr double allowed = std::is_same_v<Element, bhalf_t> ? 0.03 : 1e-5;
  using View               = Kokkos::View<Element**, Kokkos::LayoutRight, Space>;
  const View A("A", 1000, 7), B("B", 7, 9), C("C", 1000, 9);
  for (const double small : {1e-20, 1e20}) {
    Kokkos::deep_copy(A, static_cast<Element>(small));
    Kokkos::deep_copy(B, static_cast<Element>(1 / small));
    gemm(Space(), A, B, C, {}, {.alpha = 1e25, .plan = {.family = "stream"}});
    const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
    for (int i = 0; i < 1000; ++i)
      for (int j = 0; j < 9; ++j) ASSERT_NEAR(static_cast<double>(c(i, j)) / 7e25, 1, allowed) << i << ' ' << j;
  }
}

// Products of gemm_backward are products of gemm. Lines of dZ are aligned in 16 bits, and have no gaps if they are
// whole chunks.
TYPED_TEST(Stream, ComputesGradients) {
  this->computes_the_first_gradient({3000, sizeof(typename TypeParam::Input) == 2 ? 8 : 9, 7});
}

TYPED_TEST(Stream, IsForLongMatricesOfAnyWidth) {
  EXPECT_EQ(this->family_of(1000000, 7, 7), "stream");
  EXPECT_EQ(this->family_of(1000000, 17, 13), "stream");
  constexpr int size = sizeof(typename TypeParam::Input);
  EXPECT_NE(this->family_of(1000000, size == 2 ? 65 : 33, 7), "stream");
  EXPECT_NE(this->family_of(1000000, 7, size == 8 ? 65 : 129), "stream");
}

TYPED_TEST(Stream, RefusesWhatItDoesNotTake) {
  using Element = typename TypeParam::Input;
  using View    = Kokkos::View<Element**, Kokkos::LayoutRight, Space>;
  const View A("A", 1000, 7), B("B", 7, 9), C("C", 1000, 9), wide("wide", 1000, 20);
  const auto run = [&](const auto& c, const PlanOptions& plan) { gemm(Space(), A, B, c, {}, {.plan = plan}); };
  EXPECT_NO_THROW(run(C, {.family = "stream"}));
  EXPECT_THROW(run(C, {.family = "stream", .tile = {96, 8, 8}}), std::invalid_argument);
  EXPECT_THROW(run(C, {.family = "stream", .split_k = 2}), std::invalid_argument);
  const auto part = Kokkos::subview(wide, Kokkos::ALL, std::pair(2, 11));
  EXPECT_THROW(run(part, {.family = "stream"}), std::invalid_argument) << "rows with gaps";
}

}  // namespace
}  // namespace Tegula::Test
