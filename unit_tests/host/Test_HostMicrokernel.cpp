// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <host/Tegula_HostMicrokernel.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "Tegula_TestRandom.hpp"

/// The register tiles of every set of instructions that this processor has, of all sizes, and from rows that lie in
/// panels, side by side and one behind the other.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

template <class T>
class HostMicrokernel : public testing::Test {
 protected:
  static constexpr std::size_t depth = 37, pitch = 64;  // pitch: more than any tile has

  std::vector<T> draw(std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(uniform(random_, -1, 1));
    return values;
  }

  std::vector<T> sums_of(Microkernel<T> microkernel, std::size_t rows, std::size_t row_stride, std::size_t row_step) {
    std::vector<T> laid(depth * pitch), sums(rows * pitch);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < depth; ++k) laid[i * row_stride + k * row_step] = rows_[i * depth + k];
    microkernel({.depth         = depth,
                 .rows          = laid.data(),
                 .row_stride    = static_cast<std::int64_t>(row_stride),
                 .row_step      = static_cast<std::int64_t>(row_step),
                 .columns       = columns_.data(),
                 .column_stride = 1,
                 .column_step   = pitch,
                 .before        = before_.data(),
                 .before_pitch  = pitch,
                 .sums          = sums.data(),
                 .pitch         = pitch});
    return sums;
  }

  /// visit(rows, columns, sums) for every tile of a set.
  template <class Visit>
  void for_every_tile(Instructions set, const Visit& visit) {
    const Microkernels<T> microkernels(set);
    for (int rows = 1; rows <= microkernels.shape.rows; ++rows)
      for (int columns = microkernels.shape.lanes; columns <= microkernels.shape.columns;
           columns += microkernels.shape.lanes)
        for (const auto& [stride, step] : {std::pair(1, rows), std::pair(1, int(pitch)), std::pair(int(depth), 1)}) {
          SCOPED_TRACE(std::string(name(set)) + ", tile " + std::to_string(rows) + 'x' + std::to_string(columns) +
                       ", row stride " + std::to_string(stride) + ", step " + std::to_string(step));
          visit(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                sums_of(microkernels(rows, columns), rows, stride, step));
        }
  }

  Random random_             = make_random();
  const std::vector<T> rows_ = draw(pitch * depth), columns_ = draw(depth * pitch), before_ = draw(pitch * pitch);
};

using Accumulators = testing::Types<float, double>;
TYPED_TEST_SUITE(HostMicrokernel, Accumulators);

constexpr std::array sets{Instructions::baseline, Instructions::avx2, Instructions::avx512};

TYPED_TEST(HostMicrokernel, AddsProducts) {
  using T              = TypeParam;
  constexpr auto depth = TestFixture::depth, pitch = TestFixture::pitch;
  const auto expect_sum = [&](std::size_t i, std::size_t j, T actual) {
    double sum = this->before_[i * pitch + j], size = std::abs(sum);
    for (std::size_t k = 0; k < depth; ++k) {
      const double product = double(this->rows_[i * depth + k]) * double(this->columns_[k * pitch + j]);
      sum += product;
      size += std::abs(product);
    }
    EXPECT_NEAR(actual, sum, size * (depth + 1) * double(std::numeric_limits<T>::epsilon())) << i << ", " << j;
  };
  for (const Instructions set : sets)
    if (has(set))
      this->for_every_tile(set, [&](std::size_t rows, std::size_t columns, const std::vector<T>& sums) {
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t j = 0; j < columns; ++j) expect_sum(i, j, sums[i * pitch + j]);
      });
}

// Whether a multiplication and an addition are fused is a compiler's choice, which it must make for all tiles alike.
TYPED_TEST(HostMicrokernel, GivesAnElementTheSameBitsInEveryTile) {
  using T = TypeParam;
  for (const Instructions set : sets) {
    if (!has(set)) continue;
    const Microkernels<T> microkernels(set);
    const int most = microkernels.shape.rows;
    const std::vector<T> expected =
        this->sums_of(microkernels(most, microkernels.shape.columns), std::size_t(most), 1, std::size_t(most));
    this->for_every_tile(set, [&](std::size_t rows, std::size_t columns, const std::vector<T>& sums) {
      for (std::size_t i = 0; i < rows; ++i)
        EXPECT_EQ(std::memcmp(&sums[i * TestFixture::pitch], &expected[i * TestFixture::pitch], columns * sizeof(T)), 0)
            << "row " << i;
    });
  }
}

}  // namespace
}  // namespace Tegula::Test
