// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TestReference.hpp"

#include "Tegula_TestBackward.hpp"

namespace Tegula::Test {

Reference reference_product(double alpha, const HostMatrix& A, const HostMatrix& B) {
  Reference result{HostMatrix(A.rows, B.columns), HostMatrix(A.rows, B.columns)};
  std::vector<long double> sums(static_cast<std::size_t>(B.columns));
  for (std::int64_t i = 0; i < A.rows; ++i) {
    std::fill(sums.begin(), sums.end(), 0);
    for (std::int64_t k = 0; k < A.columns; ++k) {
      for (std::int64_t j = 0; j < B.columns; ++j) {
        sums[static_cast<std::size_t>(j)] += static_cast<long double>(A(i, k)) * B(k, j);
        result.gauge(i, j) += std::abs(alpha * A(i, k) * B(k, j));
      }
    }
    for (std::int64_t j = 0; j < B.columns; ++j) {
      result.value(i, j) = static_cast<double>(alpha * sums[static_cast<std::size_t>(j)]);
    }
  }
  return result;
}

void add(Reference& reference, double factor, const HostMatrix& matrix) {
  for (std::size_t e = 0; e < matrix.values.size(); ++e) {
    reference.value.values[e] += factor * matrix.values[e];
    reference.gauge.values[e] += std::abs(factor * matrix.values[e]);
  }
}

void add_row(Reference& reference, const HostMatrix& row) {
  for (std::int64_t i = 0; i < reference.value.rows; ++i) {
    for (std::int64_t j = 0; j < reference.value.columns; ++j) {
      reference.value(i, j) += row(0, j);
      reference.gauge(i, j) += std::abs(row(0, j));
    }
  }
}

Reference reference_column_sums(const HostMatrix& matrix) {
  Reference result{HostMatrix(1, matrix.columns), HostMatrix(1, matrix.columns)};
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t j = 0; j < matrix.columns; ++j) {
      result.value(0, j) += matrix(i, j);
      result.gauge(0, j) += std::abs(matrix(i, j));
    }
  }
  return result;
}

testing::AssertionResult compare(const HostMatrix& actual, const HostMatrix& expected, const HostMatrix& allowed) {
  if (actual.rows != expected.rows || actual.columns != expected.columns) {
    return testing::AssertionFailure() << "extents differ";
  }
  int bad = 0, rare = 0;
  testing::Message entries;
  for (std::int64_t i = 0; i < actual.rows; ++i) {
    for (std::int64_t j = 0; j < actual.columns; ++j) {
      const double error = std::abs(actual(i, j) - expected(i, j));
      if (error <= allowed(i, j)) continue;  // false for NaN
      if (error <= rare_excess * allowed(i, j) && rare++ == 0) continue;
      if (++bad <= 5) {
        entries << "\n  (" << i << ", " << j << ") is " << actual(i, j) << ", expected " << expected(i, j) << " +- "
                << allowed(i, j);
      }
    }
  }
  if (bad == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << bad << " of " << actual.values.size() << " entries are wrong" << entries;
}

ReferenceGradients reference_gradients(const Reference& dZ, const HostMatrix& op_a, const HostMatrix& op_b,
                                       double alpha) {
  const HostMatrix a = transposed(op_a), b = transposed(op_b);
  ReferenceGradients gradients{reference_product(alpha, dZ.value, b), reference_product(alpha, a, dZ.value),
                               reference_column_sums(dZ.value)};
  gradients.dA.gauge    = reference_product(alpha, dZ.gauge, b).gauge;
  gradients.dB.gauge    = reference_product(alpha, a, dZ.gauge).gauge;
  gradients.dbias.gauge = reference_column_sums(dZ.gauge).gauge;
  return gradients;
}

}  // namespace Tegula::Test
