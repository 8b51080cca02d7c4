// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LANE_STRIDE_HPP
#define TEGULA_LANE_STRIDE_HPP

#include <cstdint>

#include "Tegula_CudaTiles.hpp"

namespace Tegula::Impl {

/// How far a lane goes from one element of a rectangle to its next where the 32 lanes of a warp take all elements in
/// turns, row by row: so many rows on, and so many columns. A constant where the width is one.
class LaneStride {
 public:
  static constexpr std::uint32_t lanes = 32;

  LaneStride() = default;
  TEGULA_HOST_DEVICE constexpr explicit LaneStride(std::uint32_t width)
      : width_(width), rows_(lanes / width), columns_(lanes % width) {}

  TEGULA_HOST_DEVICE constexpr std::int32_t rows() const { return static_cast<std::int32_t>(rows_); }
  TEGULA_HOST_DEVICE constexpr std::int32_t columns() const { return static_cast<std::int32_t>(columns_); }
  TEGULA_HOST_DEVICE constexpr std::int32_t width() const { return static_cast<std::int32_t>(width_.value()); }

  /// The row of the lane's first element.
  TEGULA_HOST_DEVICE constexpr std::int32_t first_row(int lane) const {
    return static_cast<std::int32_t>(width_.quotient(static_cast<std::uint32_t>(lane)));
  }

 private:
  Divisor width_{};
  std::uint32_t rows_ = lanes, columns_ = 0;
};

}  // namespace Tegula::Impl

#endif
