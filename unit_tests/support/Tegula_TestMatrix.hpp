// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_MATRIX_HPP
#define TEGULA_TEST_MATRIX_HPP

#include <Tegula.hpp>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "Tegula_TestRandom.hpp"

namespace Tegula::Test {

/// A matrix in double on the host, row by row: inputs as they were stored, references, results.
struct HostMatrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> values;

  HostMatrix() = default;
  HostMatrix(std::int64_t rows_, std::int64_t columns_, double value = 0)
      : rows(rows_), columns(columns_), values(static_cast<std::size_t>(rows_ * columns_), value) {}

  double& operator()(std::int64_t i, std::int64_t j) { return values[static_cast<std::size_t>(i * columns + j)]; }
  double operator()(std::int64_t i, std::int64_t j) const { return values[static_cast<std::size_t>(i * columns + j)]; }
};

HostMatrix random_matrix(Random& random, std::int64_t rows, std::int64_t columns);

HostMatrix transposed(const HostMatrix& matrix);

inline HostMatrix apply(Op op, const HostMatrix& matrix) { return op == Op::none ? matrix : transposed(matrix); }

template <class Scalar>
double to_double(Scalar value) {
  return static_cast<double>(static_cast<accumulator_t<Scalar>>(value));
}
template <class Scalar>
Scalar from_double(double value) {
  return static_cast<Scalar>(static_cast<accumulator_t<Scalar>>(value));
}

/// A View under test. It lies inside a larger allocation whose every other element is poison (NaN), so that a write
/// outside the View, or into the gaps between its rows, is seen. With the odd margin addresses are as unaligned as the
/// element type allows, with the even one the first is as aligned as that of a View of its own.
template <class Space, class Layout, class Scalar>
class DeviceMatrix {
 public:
  using storage_type    = Kokkos::View<Scalar*, typename Space::memory_space>;
  using view_type       = Kokkos::View<Scalar**, Layout, typename Space::memory_space>;
  using const_view_type = Kokkos::View<const Scalar**, Layout, typename Space::memory_space>;

  static constexpr std::int64_t odd_margin = 5, even_margin = 64;  // in elements

  /// All elements poisoned.
  DeviceMatrix(std::int64_t rows, std::int64_t columns, std::int64_t margin = odd_margin)
      : rows_(rows), columns_(columns), margin_(margin) {
    stride_[0] = stride_of(0);
    stride_[1] = stride_of(1);
    storage_ =
        storage_type("storage", static_cast<std::size_t>(2 * margin_ + rows * stride_[0] + columns * stride_[1]));
    host_ = Kokkos::create_mirror(storage_);  // a copy on a host too, for untouched() to compare with
    for (std::size_t e = 0; e < host_.extent(0); ++e) host_(e) = poison();
    upload();
  }

  explicit DeviceMatrix(const HostMatrix& values, std::int64_t margin = odd_margin)
      : DeviceMatrix(values.rows, values.columns, margin) {
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = 0; j < columns_; ++j) host_(offset(i, j)) = from_double<Scalar>(values(i, j));
    }
    upload();
  }

  view_type view() const { return make_view<view_type>(storage_.data() + margin_); }
  const_view_type const_view() const { return make_view<const_view_type>(storage_.data() + margin_); }

  /// The first row, as a bias is given.
  auto row() const { return Kokkos::subview(view(), 0, Kokkos::ALL()); }

  /// The values as they are now, in double.
  HostMatrix values() const {
    const auto now = download();
    HostMatrix result(rows_, columns_);
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = 0; j < columns_; ++j) result(i, j) = to_double(now(offset(i, j)));
    }
    return result;
  }

  /// Whether everything outside the View is as it was, bit by bit.
  bool surroundings_untouched() const {
    const auto now = download();
    std::vector<char> inside(host_.extent(0), 0);
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = 0; j < columns_; ++j) inside[static_cast<std::size_t>(offset(i, j))] = 1;
    }
    for (std::size_t e = 0; e < inside.size(); ++e) {
      if (!inside[e] && std::memcmp(&now(e), &host_(e), sizeof(Scalar)) != 0) return false;
    }
    return true;
  }

  /// Whether nothing at all has changed, bit by bit.
  bool untouched() const {
    const auto now = download();
    return host_.extent(0) == 0 || std::memcmp(now.data(), host_.data(), host_.extent(0) * sizeof(Scalar)) == 0;
  }

 private:
  using mirror_type = decltype(Kokkos::create_mirror(std::declval<storage_type>()));

  static Scalar poison() { return from_double<Scalar>(std::numeric_limits<double>::quiet_NaN()); }

  // LayoutStride has gaps along both axes.
  std::int64_t stride_of(int axis) const {
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>) return axis == 0 ? columns_ : 1;
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>) return axis == 0 ? 1 : rows_;
    return axis == 0 ? 2 * columns_ + 3 : 2;
  }
  std::int64_t offset(std::int64_t i, std::int64_t j) const { return margin_ + i * stride_[0] + j * stride_[1]; }

  template <class ViewType, class Pointer>
  ViewType make_view(Pointer data) const {
    const auto rows = static_cast<std::size_t>(rows_), columns = static_cast<std::size_t>(columns_);
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) {
      return ViewType(data, Kokkos::LayoutStride(rows, static_cast<std::size_t>(stride_[0]), columns,
                                                 static_cast<std::size_t>(stride_[1])));
    } else {
      return ViewType(data, rows, columns);
    }
  }

  void upload() { Kokkos::deep_copy(storage_, host_); }
  mirror_type download() const {
    Kokkos::fence();
    mirror_type now = Kokkos::create_mirror(storage_);
    Kokkos::deep_copy(now, storage_);
    return now;
  }

  std::int64_t rows_, columns_, margin_;
  std::int64_t stride_[2];
  storage_type storage_;
  mirror_type host_;
};

}  // namespace Tegula::Test

#endif
