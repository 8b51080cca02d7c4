// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TestMatrix.hpp"

namespace Tegula::Test {

HostMatrix random_matrix(Random& random, std::int64_t rows, std::int64_t columns) {
  HostMatrix matrix(rows, columns);
  for (double& value : matrix.values) value = uniform(random, -1, 1);
  return matrix;
}

HostMatrix transposed(const HostMatrix& matrix) {
  HostMatrix result(matrix.columns, matrix.rows);
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t j = 0; j < matrix.columns; ++j) result(j, i) = matrix(i, j);
  }
  return result;
}

}  // namespace Tegula::Test
