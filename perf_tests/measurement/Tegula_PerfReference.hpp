// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_REFERENCE_HPP
#define TEGULA_PERF_REFERENCE_HPP

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "Tegula_PerfMatrix.hpp"

/// Checks of sampled rows of results against sums in double, which are formed where the operands are.

namespace Tegula::Perf {

/// op(matrix) in a kernel, element by element in double.
template <class T>
class Elements {
 public:
  explicit Elements(const Matrix<T>& matrix, Op op = Op::none)
      : values_(matrix.storage()), row_stride_(matrix.strides(op)[0]), column_stride_(matrix.strides(op)[1]) {}

  KOKKOS_FUNCTION double operator()(std::int64_t i, std::int64_t j) const {
    return static_cast<double>(static_cast<accumulator_t<T>>(values_(i * row_stride_ + j * column_stride_)));
  }

 private:
  VectorView<const T> values_;
  std::int64_t row_stride_, column_stride_;
};

struct Ones {
  KOKKOS_FUNCTION double operator()(std::int64_t, std::int64_t) const { return 1; }
};

inline constexpr int samples = 6;
using SampledRows            = Kokkos::Array<std::int64_t, samples>;

/// First, last, and a few others, which may be the same.
inline SampledRows sampled_rows(std::int64_t rows, std::uint64_t seed) {
  SampledRows chosen{0, rows - 1};
  std::mt19937_64 random(seed);
  for (int s = 2; s < samples; ++s) chosen[s] = static_cast<std::int64_t>(random() % rows);
  return chosen;
}

using HostRows   = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using DeviceRows = Kokkos::View<double**, Kokkos::LayoutRight, ExecutionSpace>;

template <class Element>
struct GatherRows {
  Element element;
  SampledRows rows;
  std::size_t set;
  DeviceRows gathered;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    for (int s = 0; s < samples; ++s) gathered(set * samples + s, j) = element(rows[s], j);
  }
};

/// The sampled rows on the host: those of the first element(i, j), then those of the next, and so on.
template <class Element>
HostRows gather_rows(const SampledRows& rows, std::int64_t columns, const std::vector<Element>& elements) {
  const DeviceRows gathered("sampled rows", elements.size() * samples, columns);
  for (std::size_t set = 0; set < elements.size(); ++set)
    Kokkos::parallel_for("Tegula::Perf::gather",
                         Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, columns),
                         GatherRows<Element>{elements[set], rows, set, gathered});
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), gathered);
}

/// value(s, j) = sum over q < inner of x(rows(s), q) y(q, j); scale: the sum of the absolute values of these products;
/// square: the sum of their squares. A work item forms a block of columns.
template <class X, class Y>
struct ReferenceSums {
  static constexpr int block = runs_on_host ? 64 : 1;

  X x;
  Y y;
  SampledRows rows;
  std::int64_t columns, inner;
  DeviceRows value, scale, square;

  struct Sums {
    double value[block] = {}, scale[block] = {}, square[block] = {};
  };

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t first = item * block;
    const int width          = columns - first < block ? static_cast<int>(columns - first) : block;
    Sums sums[samples];
    for (std::int64_t q = 0; q < inner; ++q) {
      double line[block];
      for (int j = 0; j < width; ++j) line[j] = y(q, first + j);
      for (int s = 0; s < samples; ++s) add(sums[s], x(rows[s], q), line, width);
    }
    for (int s = 0; s < samples; ++s) store(sums[s], s, first, width);
  }

  KOKKOS_FUNCTION static void add(Sums& sums, double factor, const double* line, int width) {
    for (int j = 0; j < width; ++j) {
      const double product = factor * line[j];
      sums.value[j] += product;
      sums.scale[j] += product < 0 ? -product : product;
      sums.square[j] += product * product;
    }
  }

  KOKKOS_FUNCTION void store(const Sums& sums, int s, std::int64_t first, int width) const {
    for (int j = 0; j < width; ++j) {
      value(s, first + j)  = sums.value[j];
      scale(s, first + j)  = sums.scale[j];
      square(s, first + j) = sums.square[j];
    }
  }
};

/// What sampled rows of a product should be, and what rounding errors scale with: the sum of the absolute values of
/// what was added up, and the sum of the squares.
struct Reference {
  SampledRows rows;
  HostRows value, scale, square;
};

template <class X, class Y>
Reference reference_product(const SampledRows& rows, std::int64_t columns, std::int64_t inner, const X& x, const Y& y) {
  using Sums = ReferenceSums<X, Y>;
  const Sums sums{x,
                  y,
                  rows,
                  columns,
                  inner,
                  DeviceRows("reference", samples, columns),
                  DeviceRows("reference scale", samples, columns),
                  DeviceRows("reference squares", samples, columns)};
  const std::int64_t items = (columns + Sums::block - 1) / Sums::block;
  Kokkos::parallel_for("Tegula::Perf::reference",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, items), sums);
  const auto on_host = [](const DeviceRows& computed) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), computed);
  };
  return {rows, on_host(sums.value), on_host(sums.scale), on_host(sums.square)};
}

/// How far a result may be off: sums of `terms` products rounded with sum_unit, single products (as where a factor was
/// rounded before) with factor_unit, and results with storage_unit. Errors of sums add up like a random walk, and
/// independent errors of the products like the root of their squares; the numbers leave room for that and for the
/// activation, whose slope stays below 1.2.
struct Tolerance {
  std::int64_t terms;
  double sum_unit, factor_unit, storage_unit;

  double allowed(double value, double scale, double square) const {
    const double sums = (20 + 4 * std::sqrt(static_cast<double>(terms))) * sum_unit;
    return 1.2 * (sums * scale + 8 * factor_unit * std::sqrt(square)) + 8 * storage_unit * std::abs(value);
  }
};

/// Of results of R, where a factor may have been rounded to F. Sums are formed in the accumulator's type, but by
/// KokkosBlas in the element type. TF32 cuts factors off to 10 bits.
template <class R, class F = R>
Tolerance tolerance_of(const std::string& side, std::int64_t terms, Compute compute) {
  const double result   = ScalarTraits<R>::unit_roundoff;
  const double sum_unit = side == "kokkoskernels" ? result : ScalarTraits<accumulator_t<R>>::unit_roundoff;
  if (std::is_same_v<F, float> && compute == Compute::tf32) return {terms, sum_unit, 0x1p-10, 0x1p-10};
  return {terms, sum_unit, ScalarTraits<F>::unit_roundoff, result};
}

/// Checks the sampled rows of one result after another. Throws std::runtime_error at the first element that is off by
/// more than allowed. Returns the worst error as a part of the scale.
inline double check_rows(const std::string& what, const Reference& reference, const Tolerance& tolerance,
                         const HostRows& results) {
  double worst = 0;
  for (std::size_t row = 0; row < results.extent(0); ++row) {
    const int s = static_cast<int>(row % samples);
    for (std::size_t j = 0; j < reference.value.extent(1); ++j) {
      const double value = reference.value(s, j), scale = reference.scale(s, j);
      const double error   = std::abs(results(row, j) - value);
      const double allowed = tolerance.allowed(value, scale, reference.square(s, j));
      if (!(error <= allowed)) {
        std::ostringstream message;
        message << "wrong result: " << what << '(' << reference.rows[s] << ", " << j << ") is " << results(row, j)
                << ", the reference " << value << ", off by " << error << " where " << allowed << " is allowed";
        throw std::runtime_error(message.str());
      }
      if (scale > 0) worst = std::max(worst, error / scale);
    }
  }
  return worst;
}

}  // namespace Tegula::Perf

#endif
