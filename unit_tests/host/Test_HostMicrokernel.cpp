// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_Activation.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <host/Tegula_HostMicrokernel.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "Tegula_TestRandom.hpp"

/// The register tiles of every set of instructions that this processor has, of all sizes, with every bias, from rows
/// that lie in panels, side by side and one behind the other, and with columns that are asked for or not.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

template <class T>
class HostMicrokernel : public testing::Test {
 protected:
  static constexpr std::size_t depth = 37, pitch = 80;  // pitch: more than any tile has

  std::vector<T> draw(std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(uniform(random_, -1, 1));
    return values;
  }

  /// What a tile adds to its sums, and where its rows lie.
  struct Way {
    int row_stride, row_step;
    bool has_before;
    enum { no_bias, along_rows, along_columns } bias;
    bool asks_ahead;
  };

  static std::vector<Way> ways(int rows) {
    std::vector<Way> ways;
    for (const auto& [stride, step] : {std::pair(1, rows), std::pair(1, int(pitch)), std::pair(int(depth), 1)})
      for (const auto bias : {Way::no_bias, Way::along_rows, Way::along_columns})
        for (const bool asks_ahead : {false, true})
          ways.push_back({stride, step, bias != Way::along_rows, bias, asks_ahead});
    return ways;
  }

  T bias_of(const Way& way, std::size_t i, std::size_t j) const {
    return way.bias == Way::no_bias ? T(0) : bias_[way.bias == Way::along_rows ? 3 * i : j];
  }

  /// Rows of `pitch` sums, and in them what is left of rows of `untouched`. Columns that need no padding have none.
  std::vector<T> sums_of(const Microkernels<T>& microkernels, int rows, int columns, const Way& way,
                         bool clamps = false) {
    const auto width = static_cast<std::size_t>(columns);
    std::vector<T> laid(depth * pitch), right, sums(static_cast<std::size_t>(rows) * pitch, untouched);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
      for (std::size_t k = 0; k < depth; ++k)
        laid[i * static_cast<std::size_t>(way.row_stride) + k * static_cast<std::size_t>(way.row_step)] =
            rows_[i * depth + k];
    const std::size_t step = microkernels.shape.reads_parts ? width : pitch;
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t j = 0; j < step; ++j) right.push_back(columns_[k * pitch + j]);
    microkernels(rows, columns)({.depth              = depth,
                                 .rows               = laid.data(),
                                 .row_stride         = way.row_stride,
                                 .row_step           = way.row_step,
                                 .columns            = right.data(),
                                 .column_stride      = 1,
                                 .column_step        = static_cast<std::int64_t>(step),
                                 .before             = way.has_before ? before_.data() : nullptr,
                                 .before_pitch       = pitch,
                                 .before_stride      = 1,
                                 .bias               = way.bias == Way::no_bias ? nullptr : bias_.data(),
                                 .bias_row_stride    = way.bias == Way::along_rows ? 3 : 0,
                                 .bias_column_stride = way.bias == Way::along_columns ? 1 : 0,
                                 .sums               = sums.data(),
                                 .pitch              = pitch,
                                 .sum_stride         = 1,
                                 .clamps             = clamps,
                                 .next_columns       = way.asks_ahead ? right.data() : nullptr},
                                columns);
    return sums;
  }

  static int most_rows(const RegisterTileShape& shape, int columns) {
    return columns <= shape.lanes ? shape.narrow_rows : columns <= shape.columns ? shape.rows : shape.wide_rows;
  }

  /// visit(rows, columns, way, sums) for every tile of a set.
  template <class Visit>
  void for_every_tile(Instructions set, const Visit& visit) {
    const Microkernels<T> microkernels(set);
    const RegisterTileShape& shape = microkernels.shape;
    for (int columns = 1; columns <= 2 * shape.columns; ++columns)
      for (int rows = 1; rows <= most_rows(shape, columns); ++rows)
        for (const Way& way : ways(rows)) {
          SCOPED_TRACE(std::string(name(set)) + ", tile " + std::to_string(rows) + 'x' + std::to_string(columns) +
                       ", row stride " + std::to_string(way.row_stride) + ", step " + std::to_string(way.row_step) +
                       ", bias " + std::to_string(way.bias) + (way.asks_ahead ? ", asking ahead" : ""));
          visit(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), way,
                sums_of(microkernels, rows, columns, way));
        }
  }

  static constexpr T untouched = -77;
  Random random_               = make_random();
  const std::vector<T> rows_ = draw(pitch * depth), columns_ = draw(depth * pitch), bias_ = draw(pitch);
  std::vector<T> before_ = draw(pitch * pitch);
};

using Accumulators = testing::Types<float, double>;
TYPED_TEST_SUITE(HostMicrokernel, Accumulators);

constexpr std::array sets{Instructions::baseline, Instructions::avx2, Instructions::avx512};

TYPED_TEST(HostMicrokernel, AddsProducts) {
  using T              = TypeParam;
  constexpr auto depth = TestFixture::depth, pitch = TestFixture::pitch;
  const auto expect_sum = [&](std::size_t i, std::size_t j, const auto& way, T actual) {
    const double before = way.has_before ? this->before_[i * pitch + j] : 0, bias = this->bias_of(way, i, j);
    double sum = before + bias, size = std::abs(before) + std::abs(bias);
    for (std::size_t k = 0; k < depth; ++k) {
      const double product = double(this->rows_[i * depth + k]) * double(this->columns_[k * pitch + j]);
      sum += product;
      size += std::abs(product);
    }
    EXPECT_NEAR(actual, sum, size * (depth + 1) * double(std::numeric_limits<T>::epsilon())) << i << ", " << j;
  };
  for (const Instructions set : sets)
    if (has(set))
      this->for_every_tile(set,
                           [&](std::size_t rows, std::size_t columns, const auto& way, const std::vector<T>& sums) {
                             for (std::size_t i = 0; i < rows; ++i) {
                               for (std::size_t j = 0; j < columns; ++j) expect_sum(i, j, way, sums[i * pitch + j]);
                               for (std::size_t j = columns; j < pitch; ++j)
                                 ASSERT_EQ(sums[i * pitch + j], TestFixture::untouched) << "behind row " << i;
                             }
                           });
}

TYPED_TEST(HostMicrokernel, ClampsAsReluDoes) {
  using T         = TypeParam;
  using Limits    = std::numeric_limits<T>;
  const T extra[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max(), Limits::lowest()};
  for (std::size_t e = 0; e < this->before_.size(); e += 3) this->before_[e] = extra[e / 3 % std::size(extra)];
  for (const Instructions set : sets) {
    if (!has(set)) continue;
    const Microkernels<T> microkernels(set);
    this->for_every_tile(set, [&](std::size_t rows, std::size_t columns, const auto& way, const std::vector<T>& sums) {
      const std::vector<T> clamped =
          this->sums_of(microkernels, static_cast<int>(rows), static_cast<int>(columns), way, true);
      std::vector<T> expected = sums;
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
          T& z = expected[i * TestFixture::pitch + j];
          z    = Relu()(z);
        }
      ASSERT_EQ(std::memcmp(clamped.data(), expected.data(), sums.size() * sizeof(T)), 0);
    });
  }
}

// Whether a multiplication and an addition are fused is a compiler's choice, which it must make for all tiles alike:
// for those of other shapes as for the largest with two vectors.
TYPED_TEST(HostMicrokernel, GivesAnElementTheSameBitsInEveryTile) {
  using T = TypeParam;
  for (const Instructions set : sets) {
    if (!has(set)) continue;
    const Microkernels<T> microkernels(set);
    this->for_every_tile(set, [&](std::size_t rows, std::size_t columns, const auto& way, const std::vector<T>& sums) {
      auto largest       = way;
      largest.row_stride = 1;
      largest.row_step   = microkernels.shape.rows;
      largest.asks_ahead = false;
      const std::vector<T> expected =
          this->sums_of(microkernels, microkernels.shape.rows, microkernels.shape.columns, largest);
      const auto width = std::min(columns, static_cast<std::size_t>(microkernels.shape.columns));
      for (std::size_t i = 0; i < std::min(rows, static_cast<std::size_t>(microkernels.shape.rows)); ++i)
        EXPECT_EQ(std::memcmp(&sums[i * TestFixture::pitch], &expected[i * TestFixture::pitch], width * sizeof(T)), 0)
            << "row " << i;
    });
  }
}

}  // namespace
}  // namespace Tegula::Test
