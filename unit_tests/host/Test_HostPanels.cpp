// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host/Tegula_HostPack.hpp"

/// The panels of operands, as microkernels read them.

namespace Tegula::Test {
namespace {

using namespace Impl;

template <class T>
class HostPanels : public testing::Test {};

using Accumulators = testing::Types<float, double>;
TYPED_TEST_SUITE(HostPanels, Accumulators);

constexpr Instructions sets[] = {Instructions::baseline, Instructions::avx2, Instructions::avx512};

TEST(Panels, AreEvenOrWholeVectors) {
  for (int lines = 0; lines < 200; ++lines) {
    const EvenPanels rows(lines, 14);
    int next = 0;
    for (int p = 0; p < rows.panels; ++p) {
      EXPECT_EQ(rows.first(p), next);
      EXPECT_LE(rows.width(p), 14);
      EXPECT_GE(rows.width(p), lines / std::max(1, rows.panels));
      next += rows.width(p);
    }
    EXPECT_EQ(next, lines);
    const VectorPanels columns(lines, {14, 32, 16});
    EXPECT_EQ(columns.padded_lines(), (lines + 15) / 16 * 16);
  }
}

// A matrix of accumulators.
template <class T>
HostOperand<T> operand_of(const MatrixRef<const T>& matrix) {
  return {{const_cast<T*>(matrix.data), matrix.row_stride, matrix.column_stride}};
}

// Numbers in steps of lines that are neighbours, so many from one step to the next; nothing lies behind the last.
template <class T>
std::vector<T> neighbours(int lines, int depth, int step) {
  std::vector<T> values(static_cast<std::size_t>((depth - 1) * step + lines));
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<T>(e + 1);
  return values;
}

// Every line and step is where the microkernel reads it, and what follows the last panel is left alone.
template <class T, class Panels>
void expect_packed(Instructions set, const MatrixRef<const T>& matrix, const Panels& panels) {
  constexpr T untouched = -1;
  const auto depth      = static_cast<int>(matrix.columns);
  int size              = 0;
  for (int p = 0; p < panels.panels; ++p) size += panels.padded(p) * depth;
  std::vector<T> packed(static_cast<std::size_t>(size) + 64, untouched);
  pack_panels(set, operand_of(matrix), 0, 0, depth, panels, 0, panels.panels, packed.data());
  for (int p = 0; p < panels.panels; ++p) {
    const T* const panel = packed.data() + panels.first(p) * depth;
    for (int k = 0; k < depth; ++k)
      for (int line = 0; line < panels.width(p); ++line)
        ASSERT_EQ(panel[k * panels.padded(p) + line], matrix(panels.first(p) + line, k)) << name(set) << p << k << line;
  }
  for (std::size_t e = static_cast<std::size_t>(size); e < packed.size(); ++e) ASSERT_EQ(packed[e], untouched);
}

TYPED_TEST(HostPanels, ArePackedAndNothingElseIsWritten) {
  using T = TypeParam;
  for (const Instructions set : sets) {
    if (!has(set)) continue;
    const RegisterTileShape shape = register_tile<T>(set);
    for (int lines = 1; lines < 70; ++lines) {
      for (const int depth : {1, 3, 7, 8, 12, 16, 33}) {
        for (const int beside : {0, 3}) {
          const std::vector<T> by_depth = neighbours<T>(depth, lines, depth + beside);
          const std::vector<T> by_lines = neighbours<T>(lines, depth, lines + beside);
          for (const auto& matrix : {MatrixRef<const T>{by_depth.data(), lines, depth, depth + beside, 1},
                                     MatrixRef<const T>{by_lines.data(), lines, depth, 1, lines + beside}}) {
            expect_packed(set, matrix, EvenPanels(lines, shape.rows));
            expect_packed(set, matrix, VectorPanels(lines, shape));
            if (testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// Vectors of steps, line by line, with zeros after the last step.
template <class T>
void expect_packed_in_vectors(Instructions set, const MatrixRef<const T>& matrix) {
  constexpr T untouched = -1;
  const auto lines = static_cast<int>(matrix.rows), depth = static_cast<int>(matrix.columns);
  const int lanes = register_tile<T>(set).lanes, vectors = (depth + lanes - 1) / lanes;
  std::vector<T> packed(static_cast<std::size_t>(vectors * lanes * lines) + 64, untouched);
  pack_vectors(set, operand_of(matrix), 0, 0, lines, depth, packed.data());
  std::vector<T> sums(static_cast<std::size_t>(lines), 1);
  sum_lines_of_vectors(set, packed.data(), lines, depth, true, sums.data());
  std::size_t next = 0;
  for (int vector = 0; vector < vectors; ++vector) {
    for (int line = 0; line < lines; ++line) {
      for (int k = vector * lanes; k < (vector + 1) * lanes; ++k, ++next) {
        ASSERT_EQ(packed[next], k < depth ? matrix(line, k) : 0) << name(set) << ' ' << line << ' ' << k;
        if (k < depth) sums[static_cast<std::size_t>(line)] -= matrix(line, k);
      }
    }
  }
  for (; next < packed.size(); ++next) ASSERT_EQ(packed[next], untouched);
  for (const T sum : sums) ASSERT_EQ(sum, 1);
}

TYPED_TEST(HostPanels, OfInnerProductsAreVectorsOfSteps) {
  using T = TypeParam;
  for (const Instructions set : sets) {
    if (!has(set)) continue;
    for (int lines = 1; lines <= inner_rows; ++lines) {
      for (const int depth : {1, 7, 8, 16, 33, 64}) {
        for (const int beside : {0, 3}) {
          const std::vector<T> by_depth = neighbours<T>(depth, lines, depth + beside);
          const std::vector<T> by_lines = neighbours<T>(lines, depth, lines + beside);
          expect_packed_in_vectors<T>(set, {by_depth.data(), lines, depth, depth + beside, 1});
          expect_packed_in_vectors<T>(set, {by_lines.data(), lines, depth, 1, lines + beside});
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
