// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_Activation.hpp>
#include <array>
#include <cmath>
#include <cstring>
#include <host/Tegula_HostPack.hpp>
#include <limits>
#include <vector>

#include "Tegula_TestRandom.hpp"

/// The inner products of every set of instructions that this processor has, of any number of rows and columns, from
/// rows that are packed and from rows that are read where they lie.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

/// Row-major lines of some steps each, and behind every line what nobody may read.
template <class T>
struct Lines {
  static constexpr std::int64_t behind = 3;

  std::int64_t count, depth, stride = depth + behind;
  std::vector<T> values;

  Lines(Random& random, std::int64_t count_, std::int64_t depth_)
      : count(count_),
        depth(depth_),
        values(static_cast<std::size_t>(count * stride), std::numeric_limits<T>::quiet_NaN()) {
    for (std::int64_t line = 0; line < count; ++line)
      for (std::int64_t k = 0; k < depth; ++k)
        values[static_cast<std::size_t>(line * stride + k)] = static_cast<T>(uniform(random, -1, 1));
  }
  T at(std::int64_t line, std::int64_t k) const { return values[static_cast<std::size_t>(line * stride + k)]; }
};

template <class T>
class HostInnerProduct : public testing::Test {
 protected:
  static constexpr T untouched = -77;

  /// What is added, and where the sums go: row by row, or column by column.
  struct Way {
    bool by_columns, has_before;
    enum { no_bias, along_rows, along_columns } bias;
  };

  static std::vector<Way> ways() {
    std::vector<Way> ways;
    for (const bool by_columns : {false, true})
      for (const auto bias : {Way::no_bias, Way::along_rows, Way::along_columns})
        ways.push_back({by_columns, bias != Way::along_columns, bias});
    return ways;
  }

  /// The sums, each run of which is followed by what must stay.
  std::vector<T> sums_of(Instructions set, const Lines<T>& rows, const Lines<T>& columns, const Way& way,
                         bool is_packed, bool clamps = false) {
    const std::int64_t pitch = way.by_columns ? 1 : columns.count + 2, stride = way.by_columns ? rows.count + 2 : 1;
    const int lanes = register_tile<T>(set).lanes, few = static_cast<int>(rows.count);
    std::vector<T> panel(static_cast<std::size_t>(few * (rows.depth + lanes)));
    HostOperand<T> operand{{const_cast<T*>(rows.values.data()), rows.stride, 1}};
    pack_vectors(set, operand, 0, 0, few, rows.depth, panel.data());
    std::vector<T> sums(static_cast<std::size_t>((rows.count + 2) * (columns.count + 2)), untouched);
    const int width = static_cast<int>(columns.count);
    inner_microkernel<T>(set, few)({.depth              = rows.depth,
                                    .rows               = is_packed ? panel.data() : rows.values.data(),
                                    .row_stride         = is_packed ? lanes : rows.stride,
                                    .row_step           = is_packed ? few * lanes : lanes,
                                    .columns            = columns.values.data(),
                                    .column_stride      = columns.stride,
                                    .column_step        = 1,
                                    .before             = way.has_before ? before_.data() : nullptr,
                                    .before_pitch       = most_columns,
                                    .before_stride      = 1,
                                    .bias               = way.bias == Way::no_bias ? nullptr : bias_.data(),
                                    .bias_row_stride    = way.bias == Way::along_rows ? 3 : 0,
                                    .bias_column_stride = way.bias == Way::along_columns ? 1 : 0,
                                    .sums               = sums.data(),
                                    .pitch              = pitch,
                                    .sum_stride         = stride,
                                    .clamps             = clamps},
                                   width);
    return sums;
  }

  void expect_sums(const Lines<T>& rows, const Lines<T>& columns, const Way& way, std::vector<T> sums) {
    for (std::int64_t i = 0; i < rows.count; ++i) {
      for (std::int64_t j = 0; j < columns.count; ++j) {
        const auto bias_at  = static_cast<std::size_t>(way.bias == Way::along_rows ? 3 * i : j);
        const double before = way.has_before ? before_[static_cast<std::size_t>(i * most_columns + j)] : 0;
        const double bias   = way.bias == Way::no_bias ? 0 : bias_[bias_at];
        double sum = before + bias, size = std::abs(before) + std::abs(bias);
        for (std::int64_t k = 0; k < rows.depth; ++k) {
          const double product = double(rows.at(i, k)) * double(columns.at(j, k));
          sum += product;
          size += std::abs(product);
        }
        T& actual =
            sums[static_cast<std::size_t>(way.by_columns ? i + j * (rows.count + 2) : i * (columns.count + 2) + j)];
        ASSERT_NEAR(actual, sum, size * double(rows.depth + 3) * double(std::numeric_limits<T>::epsilon()))
            << i << ", " << j;
        actual = untouched;
      }
    }
    for (const T value : sums) ASSERT_EQ(value, untouched) << "beside the sums";
  }

  static constexpr std::int64_t most_columns = 40;
  Random random_                             = make_random();
  const std::vector<T> before_ = Lines<T>(random_, 1, inner_rows*most_columns).values, bias_ = before_;
};

using Accumulators = testing::Types<float, double>;
TYPED_TEST_SUITE(HostInnerProduct, Accumulators);

TYPED_TEST(HostInnerProduct, IsTheSameOfRowsWhereTheyLieAndOfPackedOnes) {
  using T = TypeParam;
  for (const Instructions set : {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    if (!has(set)) continue;
    const std::int64_t lanes = register_tile<T>(set).lanes;
    for (int few = 1; few <= inner_rows; ++few) {
      for (const std::int64_t many : {1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 33}) {
        for (const std::int64_t depth : {std::int64_t(1), lanes, lanes + 1, 4 * lanes, 9 * lanes - 1}) {
          const Lines<T> rows(this->random_, few, depth), columns(this->random_, many, depth);
          for (const auto& way : this->ways()) {
            SCOPED_TRACE(std::string(name(set)) + ' ' + std::to_string(few) + 'x' + std::to_string(many) + 'x' +
                         std::to_string(depth) + ", bias " + std::to_string(way.bias));
            const std::vector<T> sums   = this->sums_of(set, rows, columns, way, false);
            const std::vector<T> packed = this->sums_of(set, rows, columns, way, true);
            ASSERT_EQ(std::memcmp(sums.data(), packed.data(), sums.size() * sizeof(T)), 0);
            const std::vector<T> clamped = this->sums_of(set, rows, columns, way, false, true);
            for (std::size_t e = 0; e < sums.size(); ++e)
              ASSERT_EQ(clamped[e], sums[e] == TestFixture::untouched ? sums[e] : Relu()(sums[e])) << e;
            this->expect_sums(rows, columns, way, sums);
            if (this->HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
