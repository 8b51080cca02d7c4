// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host/Tegula_HostPack.hpp"

/// The panels of operands, as microkernels read them.

namespace Tegula::Test {
namespace {

using namespace Impl;

TEST(HostPanels, AreEvenOrWholeVectors) {
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
HostOperand<float> operand_of(const MatrixRef<const float>& matrix) {
  return {{const_cast<float*>(matrix.data), matrix.row_stride, matrix.column_stride}};
}

// Every line and step is where the microkernel reads it, and what follows the last panel is left alone.
template <class Panels>
void expect_packed(Instructions set, const MatrixRef<const float>& matrix, const Panels& panels) {
  constexpr float untouched = -1;
  const auto depth          = static_cast<int>(matrix.columns);
  int size                  = 0;
  for (int p = 0; p < panels.panels; ++p) size += panels.padded(p) * depth;
  std::vector<float> packed(static_cast<std::size_t>(size) + 64, untouched);
  pack_panels(set, operand_of(matrix), 0, 0, depth, panels, 0, panels.panels, packed.data());
  for (int p = 0; p < panels.panels; ++p) {
    const float* const panel = packed.data() + panels.first(p) * depth;
    for (int k = 0; k < depth; ++k)
      for (int line = 0; line < panels.width(p); ++line)
        ASSERT_EQ(panel[k * panels.padded(p) + line], matrix(panels.first(p) + line, k)) << name(set) << p << k << line;
  }
  for (std::size_t e = static_cast<std::size_t>(size); e < packed.size(); ++e) ASSERT_EQ(packed[e], untouched);
}

TEST(HostPanels, ArePackedAndNothingElseIsWritten) {
  for (const auto set : {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    if (!has(set)) continue;
    const RegisterTileShape shape = register_tile<float>(set);
    for (int lines = 1; lines < 70; ++lines) {
      for (const int depth : {1, 7, 16, 33}) {
        std::vector<float> values(static_cast<std::size_t>(lines * depth));
        for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<float>(e);
        const MatrixRef<const float> depth_contiguous{values.data(), lines, depth, depth, 1};
        const MatrixRef<const float> lines_contiguous{values.data(), lines, depth, 1, lines};
        for (const auto& matrix : {depth_contiguous, lines_contiguous}) {
          expect_packed(set, matrix, EvenPanels(lines, shape.rows));
          expect_packed(set, matrix, VectorPanels(lines, shape));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

// Vectors of steps, line by line, with zeros after the last step.
void expect_packed_in_vectors(Instructions set, const MatrixRef<const float>& matrix) {
  constexpr float untouched = -1;
  const auto lines = static_cast<int>(matrix.rows), depth = static_cast<int>(matrix.columns);
  const int lanes = register_tile<float>(set).lanes, vectors = (depth + lanes - 1) / lanes;
  std::vector<float> packed(static_cast<std::size_t>(vectors * lanes * lines) + 64, untouched);
  pack_vectors(set, operand_of(matrix), 0, 0, lines, depth, packed.data());
  std::vector<float> sums(static_cast<std::size_t>(lines), 1);
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
  for (const float sum : sums) ASSERT_EQ(sum, 1);
}

TEST(HostPanels, OfInnerProductsAreVectorsOfSteps) {
  for (const auto set : {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    if (!has(set)) continue;
    for (int lines = 1; lines <= inner_rows; ++lines) {
      for (const int depth : {1, 7, 16, 33, 64}) {
        std::vector<float> values(static_cast<std::size_t>(lines * depth));
        for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<float>(e + 1);
        expect_packed_in_vectors(set, {values.data(), lines, depth, depth, 1});
        expect_packed_in_vectors(set, {values.data(), lines, depth, 1, lines});
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
