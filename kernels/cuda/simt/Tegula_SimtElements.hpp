// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_ELEMENTS_HPP
#define TEGULA_SIMT_ELEMENTS_HPP

#include "Tegula_DeviceMacros.hpp"

namespace Tegula::Impl {

/// One vector of each lane of a warp, lane by lane in scratch, is a rectangle of a few lines. Here a lane has four of
/// its elements, such that neighbouring lanes have neighbours in a line.
template <class Config, bool along_columns>
struct SimtElements {
  static constexpr int count = 4;

  /// The line of element e, in lines of the rectangle, which are a block apart, and its place in that line.
  TEGULA_HOST_DEVICE static int line(int e, int lane) { return (e * 32 + lane) / length * Config::block; }
  TEGULA_HOST_DEVICE static int at(int e, int lane) { return (e * 32 + lane) % length; }

  /// Its place in scratch.
  TEGULA_HOST_DEVICE static int offset(int e, int lane) {
    const int line = (e * 32 + lane) / length, vector = at(e, lane) / 4;
    return (along_columns ? vector * Config::lane_columns + line : line * Config::lane_columns + vector) * 4 +
           at(e, lane) % 4;
  }

 private:
  static constexpr int length = (along_columns ? Config::lane_rows : Config::lane_columns) * 4;
};

}  // namespace Tegula::Impl

#endif
