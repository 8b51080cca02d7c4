// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MATRIX_REF_HPP
#define TEGULA_MATRIX_REF_HPP

#include <cstdint>
#include <type_traits>

#include "Tegula_Options.hpp"

/// Strided references, to which Views become. Nothing here needs Kokkos.

namespace Tegula::Impl {

struct Extents {
  std::int64_t rows = 0, columns = 0;

  friend constexpr bool operator==(const Extents&, const Extents&) = default;
};

/// A rank-2 array as kernels see it: element (i, j) lies at data + i row_stride + j column_stride.
/// Layouts, transposes and subviews are all just strides, so one kernel serves every mix of them.
template <class T>
struct MatrixRef {
  using value_type = T;

  T* data                    = nullptr;
  std::int64_t rows          = 0;
  std::int64_t columns       = 0;
  std::int64_t row_stride    = 0;
  std::int64_t column_stride = 0;

  TEGULA_HOST_DEVICE T& operator()(std::int64_t i, std::int64_t j) const {
    return data[i * row_stride + j * column_stride];
  }

  TEGULA_HOST_DEVICE bool columns_are_contiguous() const { return column_stride == 1; }
  TEGULA_HOST_DEVICE bool rows_are_contiguous() const { return row_stride == 1; }

  /// The elements from (i, j) on.
  TEGULA_HOST_DEVICE MatrixRef from(std::int64_t i, std::int64_t j) const {
    return {data + i * row_stride + j * column_stride, rows - i, columns - j, row_stride, column_stride};
  }

  Extents extents() const { return {rows, columns}; }
  MatrixRef transposed() const { return {data, columns, rows, column_stride, row_stride}; }
};

template <class ViewType>
inline constexpr bool is_none = std::is_same_v<ViewType, None>;

/// op(view) as a MatrixRef. `none` gives one without data.
template <class T, class ViewType>
MatrixRef<T> matrix_ref(const ViewType& view, Op op = Op::none) {
  if constexpr (is_none<ViewType>) {
    return {};
  } else {
    const MatrixRef<T> plain{view.data(), static_cast<std::int64_t>(view.extent(0)),
                             static_cast<std::int64_t>(view.extent(1)), static_cast<std::int64_t>(view.stride(0)),
                             static_cast<std::int64_t>(view.stride(1))};
    return op == Op::none ? plain : plain.transposed();
  }
}

/// A rank-1 View as the matrix all of whose rows are that vector.
template <class T, class ViewType>
MatrixRef<T> row_vector_ref(const ViewType& view, std::int64_t rows) {
  if constexpr (is_none<ViewType>) {
    return {};
  } else {
    return {view.data(), rows, static_cast<std::int64_t>(view.extent(0)), 0, static_cast<std::int64_t>(view.stride(0))};
  }
}

/// The element type of a View, or Default for `none`.
template <class ViewType, class Default>
struct ElementOf {
  using type = typename ViewType::non_const_value_type;
};
template <class Default>
struct ElementOf<None, Default> {
  using type = Default;
};
template <class ViewType, class Default>
using element_of_t = typename ElementOf<ViewType, Default>::type;

}  // namespace Tegula::Impl

#endif
