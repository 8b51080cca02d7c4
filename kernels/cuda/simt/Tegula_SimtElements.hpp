// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_ELEMENTS_HPP
#define TEGULA_SIMT_ELEMENTS_HPP

#include <cstdint>

#include "Tegula_DeviceMacros.hpp"

namespace Tegula::Impl {

/// What a lane stores of the vectors of a warp.
inline constexpr int simt_elements = 4;
using SimtElementValues            = float[simt_elements];

/// One vector of each lane of a warp, lane by lane in scratch, is a rectangle of a few lines, a block apart. Here a
/// lane has four of its elements, such that neighbouring lanes have neighbours in a line. They lie in every lane the
/// same distances apart.
template <class Config, bool along_columns>
struct SimtElements {
  static constexpr int count = simt_elements;

  /// Lines and places of a lane's first element, and from there to element e.
  TEGULA_HOST_DEVICE static constexpr int first_line(int lane) { return lane / length * Config::block; }
  TEGULA_HOST_DEVICE static constexpr int first_at(int lane) { return lane % length; }
  TEGULA_HOST_DEVICE static constexpr int line_offset(int e) { return e * 32 / length * Config::block; }
  TEGULA_HOST_DEVICE static constexpr int at_offset(int e) { return e * 32 % length; }

  /// Element e is in the same column as element e mod columns.
  static constexpr int columns = (along_columns ? Config::lane_rows : Config::lane_columns) > 8 ? 2 : 1;

  /// The place of element e in scratch.
  TEGULA_HOST_DEVICE static constexpr int offset(int e, int lane) {
    const int line = (e * 32 + lane) / length, at = (e * 32 + lane) % length, vector = at / 4;
    return (along_columns ? vector * Config::lane_columns + line : line * Config::lane_columns + vector) * 4 + at % 4;
  }

 private:
  static constexpr int length = (along_columns ? Config::lane_rows : Config::lane_columns) * 4;
  static_assert(length % 32 == 0 || 32 % length == 0);
  static_assert(columns * 32 == (length < 32 ? 32 : length));
};

/// They as elements of a result.
template <class Elements>
struct SimtPlaces {
  static constexpr int count = Elements::count;
  std::int32_t i, j;  // of the first
  bool is_inside[count];

  TEGULA_HOST_DEVICE SimtPlaces(std::int32_t first_i, std::int32_t first_j, std::int32_t m, std::int32_t n)
      : i(first_i), j(first_j) {
    TEGULA_UNROLL_ON_DEVICE
    for (int e = 0; e < count; ++e) is_inside[e] = i + Elements::line_offset(e) < m && j + Elements::at_offset(e) < n;
  }

  template <class Matrix>
  TEGULA_HOST_DEVICE auto of(const Matrix& matrix, int e) const {
    return matrix.at(i, j) +
           (Elements::line_offset(e) * matrix.row_stride + Elements::at_offset(e) * matrix.column_stride);
  }
};

}  // namespace Tegula::Impl

#endif
