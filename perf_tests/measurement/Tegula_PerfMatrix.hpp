// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_MATRIX_HPP
#define TEGULA_PERF_MATRIX_HPP

#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "Tegula.hpp"
#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfDevice.hpp"

namespace Tegula::Perf {

template <class T>
using VectorView = Kokkos::View<T*, ExecutionSpace>;

template <class T, class LayoutType>
using MatrixView = Kokkos::View<T**, LayoutType, ExecutionSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Uniform in (-amplitude, amplitude), from a hash of seed and index: the same on every execution space. The hash is
/// the output function of splitmix64 (Steele, Lea, Flood, doi:10.1145/2714064.2660195).
template <class T>
struct FillRandom {
  VectorView<T> values;
  std::uint64_t seed;
  double amplitude;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::uint64_t z = (seed << 32) + static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u;
    z               = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z               = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    const double unit = (static_cast<double>(z >> 11) + 0.5) * 0x1p-53;
    values(i)         = static_cast<T>(static_cast<accumulator_t<T>>(amplitude * (2 * unit - 1)));
  }
};

template <class T>
void fill_random(const VectorView<T>& values, std::uint64_t seed, double amplitude = 1) {
  Kokkos::parallel_for(
      "Tegula::Perf::fill",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(values.size())),
      FillRandom<T>{values, seed, amplitude});
}

/// An output that is not written stays NaN, which no check accepts.
template <class T>
void poison(const VectorView<T>& values) {
  Kokkos::deep_copy(values, static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
}

/// So many vectors in one allocation, each as well aligned as if it had its own.
template <class T>
std::vector<VectorView<T>> new_vectors(const std::string& label, std::size_t count, std::int64_t size) {
  constexpr std::size_t alignment = 256 / sizeof(T);
  const auto length               = static_cast<std::size_t>(size);
  const std::size_t distance      = (length + alignment - 1) / alignment * alignment;
  const VectorView<T> all(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count * distance);
  std::vector<VectorView<T>> vectors;
  for (std::size_t first = 0; first < count * distance; first += distance)
    vectors.push_back(Kokkos::subview(all, std::pair(first, first + length)));
  return vectors;
}

/// A matrix whose layout is chosen at run time.
template <class T>
class Matrix {
 public:
  Matrix(const VectorView<T>& storage, std::int64_t rows, std::int64_t columns, Layout layout)
      : storage_(storage), rows_(rows), columns_(columns), layout_(layout) {}

  const VectorView<T>& storage() const { return storage_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  Layout layout() const { return layout_; }
  std::int64_t row_stride() const { return layout_ == Layout::right ? columns_ : 1; }
  std::int64_t column_stride() const { return layout_ == Layout::right ? 1 : rows_; }
  /// Of rows and of columns of op(this).
  std::array<std::int64_t, 2> strides(Op op = Op::none) const {
    if (op == Op::transpose) return {column_stride(), row_stride()};
    return {row_stride(), column_stride()};
  }

  /// For Tegula, which knows matrices by their strides, whatever the type of the View.
  MatrixView<T, Kokkos::LayoutStride> strided() const {
    return MatrixView<T, Kokkos::LayoutStride>(storage_.data(),
                                               Kokkos::LayoutStride(rows_, row_stride(), columns_, column_stride()));
  }

  /// Calls visit with a View of the layout's own type.
  template <class Visitor>
  void visit(const Visitor& visitor) const {
    if (layout_ == Layout::right) {
      visitor(MatrixView<T, Kokkos::LayoutRight>(storage_.data(), rows_, columns_));
    } else {
      visitor(MatrixView<T, Kokkos::LayoutLeft>(storage_.data(), rows_, columns_));
    }
  }

 private:
  VectorView<T> storage_;
  std::int64_t rows_, columns_;
  Layout layout_;
};

/// So many matrices in one allocation, not filled.
template <class T>
std::vector<Matrix<T>> new_matrices(const std::string& label, std::size_t count, std::int64_t rows,
                                    std::int64_t columns, Layout layout) {
  std::vector<Matrix<T>> matrices;
  for (const VectorView<T>& storage : new_vectors<T>(label, count, rows * columns))
    matrices.emplace_back(storage, rows, columns, layout);
  return matrices;
}

template <class T>
std::vector<Matrix<T>> random_matrices(const std::string& label, std::size_t count, std::int64_t rows,
                                       std::int64_t columns, Layout layout, std::uint64_t seed, double amplitude = 1) {
  std::vector<Matrix<T>> matrices = new_matrices<T>(label, count, rows, columns, layout);
  for (const Matrix<T>& matrix : matrices) fill_random(matrix.storage(), seed, amplitude);
  return matrices;
}

}  // namespace Tegula::Perf

#endif
