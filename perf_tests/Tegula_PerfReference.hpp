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

/// Checks of results against sums in double, on the host.

namespace Tegula::Perf {

/// op(matrix) on the host, element by element in double.
template <class T>
class HostMatrix {
 public:
  explicit HostMatrix(const Matrix<T>& matrix, Op op = Op::none)
      : values_(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.storage())),
        row_stride_(op == Op::none ? matrix.row_stride() : matrix.column_stride()),
        column_stride_(op == Op::none ? matrix.column_stride() : matrix.row_stride()) {}

  double operator()(std::int64_t i, std::int64_t j) const {
    return static_cast<double>(static_cast<accumulator_t<T>>(values_(i * row_stride_ + j * column_stride_)));
  }

 private:
  Kokkos::View<const T*, Kokkos::HostSpace> values_;
  std::int64_t row_stride_, column_stride_;
};

/// One row of a product, and the sums of the absolute values of what was added up: what rounding errors scale with.
struct ReferenceRow {
  std::vector<double> value, scale;
};

/// value(j) = sum over q < inner of x(q) y(q, j).
template <class X, class Y>
ReferenceRow reference_row(std::int64_t columns, std::int64_t inner, const X& x, const Y& y) {
  ReferenceRow row{std::vector<double>(columns), std::vector<double>(columns)};
  for (std::int64_t q = 0; q < inner; ++q) {
    const double factor = x(q);
    for (std::int64_t j = 0; j < columns; ++j) {
      const double product = factor * y(q, j);
      row.value[j] += product;
      row.scale[j] += std::abs(product);
    }
  }
  return row;
}

/// First, last, and a few others; all if there are no more.
inline std::vector<std::int64_t> sampled_rows(std::int64_t rows, std::uint64_t seed) {
  constexpr std::size_t samples = 6;
  std::vector<std::int64_t> chosen{0, rows - 1};
  std::mt19937_64 random(seed);
  while (chosen.size() < samples) chosen.push_back(static_cast<std::int64_t>(random() % rows));
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// How far a result may be off: sums of `terms` products rounded with sum_unit, results rounded with storage_unit.
/// Rounding errors of sums add up like a random walk; the factors leave room for that and for the activation, whose
/// slope stays below 1.2.
struct Tolerance {
  std::int64_t terms;
  double sum_unit, storage_unit;

  double allowed(double value, double scale) const {
    const double sums = (16 + 4 * std::sqrt(static_cast<double>(terms))) * sum_unit;
    return 1.2 * (sums + 4 * storage_unit) * scale + 8 * storage_unit * std::abs(value);
  }
};

/// Tegula forms sums in the accumulator's type; the peers form them in the element type.
template <class T>
Tolerance tegula_tolerance(std::int64_t terms) {
  return {terms, ScalarTraits<accumulator_t<T>>::unit_roundoff, ScalarTraits<T>::unit_roundoff};
}
template <class T>
Tolerance peer_tolerance(std::int64_t terms) {
  return {terms, ScalarTraits<T>::unit_roundoff, ScalarTraits<T>::unit_roundoff};
}

/// Throws std::runtime_error at the first element of a row of the result that is off by more than allowed. Returns the
/// worst error as a part of the scale.
template <class Result>
double check_row(const std::string& what, std::int64_t row, const ReferenceRow& reference, const Tolerance& tolerance,
                 const Result& result) {
  double worst = 0;
  for (std::size_t j = 0; j < reference.value.size(); ++j) {
    const double value   = result(row, static_cast<std::int64_t>(j));
    const double error   = std::abs(value - reference.value[j]);
    const double allowed = tolerance.allowed(reference.value[j], reference.scale[j]);
    if (!(error <= allowed)) {
      std::ostringstream message;
      message << "wrong result: " << what << '(' << row << ", " << j << ") is " << value << ", the reference "
              << reference.value[j] << ", off by " << error << " where " << allowed << " is allowed";
      throw std::runtime_error(message.str());
    }
    if (reference.scale[j] > 0) worst = std::max(worst, error / reference.scale[j]);
  }
  return worst;
}

}  // namespace Tegula::Perf

#endif
