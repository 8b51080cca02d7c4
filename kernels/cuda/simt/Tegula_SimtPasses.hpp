// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_PASSES_HPP
#define TEGULA_SIMT_PASSES_HPP

#include <algorithm>

#include "Tegula_SimtOperand.hpp"

/// Where the elements of an operand's tile lie in scratch, and which thread copies them.

namespace Tegula::Impl {

/// A tile of Depth rows of Lines elements. The padding keeps threads that copy elements along the depth, 32 bytes of
/// each of several lines at a time, off each other's banks.
template <class T, int Lines, int Depth>
struct SimtTile {
  static constexpr int pitch = Lines + 16 / sizeof(T), bytes = pitch * Depth * sizeof(T);

  TEGULA_HOST_DEVICE static constexpr int offset(int line, int depth) {
    return (depth * pitch + line) * static_cast<int>(sizeof(T));
  }
};

/// Which elements a thread copies: the first one of pass p is line(p) lines and depth(p) steps behind that of pass 0.
template <FetchBy by, class T, int Lines, int Depth, int Threads>
struct SimtPasses {  // along lines, whole chunks or single elements
  static constexpr int elements  = by == FetchBy::chunks ? 16 / sizeof(T) : 1;
  static constexpr int row       = Lines / elements;
  static constexpr int pieces    = std::max(1, row / Threads);  // of a row
  static constexpr int pass_rows = std::max(1, Threads / row);
  static constexpr int count     = Depth / pass_rows * pieces;
  static_assert(count > 0 && count * Threads * elements == Lines * Depth, "every thread copies as much");

  TEGULA_HOST_DEVICE static constexpr int first_line(int thread) { return thread % row * elements; }
  TEGULA_HOST_DEVICE static constexpr int first_depth(int thread) { return thread / row; }
  TEGULA_HOST_DEVICE static constexpr int line(int pass) { return pass % pieces * Threads * elements; }
  TEGULA_HOST_DEVICE static constexpr int depth(int pass) { return pass / pieces * pass_rows; }
};
template <class T, int Lines, int Depth, int Threads>
struct SimtPasses<FetchBy::depth, T, Lines, Depth, Threads> {  // a warp copies 32 bytes of each of several lines
  static constexpr int elements   = 1;
  static constexpr int run        = 32 / sizeof(T);
  static constexpr int warp_lines = 32 / run, warps = Threads / 32;
  static constexpr int runs = Depth / run, groups = Lines / warp_lines;
  static constexpr int warps_abreast = std::min(warps, groups), warps_deep = warps / warps_abreast;
  static constexpr int count = runs / warps_deep * (groups / warps_abreast);
  static_assert(count > 0 && count * Threads == Lines * Depth, "every thread copies as much");

  TEGULA_HOST_DEVICE static constexpr int first_line(int thread) {
    return thread / 32 % warps_abreast * warp_lines + thread % 32 / run;
  }
  TEGULA_HOST_DEVICE static constexpr int first_depth(int thread) {
    return thread / 32 / warps_abreast * run + thread % run;
  }
  TEGULA_HOST_DEVICE static constexpr int line(int pass) {
    return pass / (runs / warps_deep) * warps_abreast * warp_lines;
  }
  TEGULA_HOST_DEVICE static constexpr int depth(int pass) { return pass % (runs / warps_deep) * warps_deep * run; }
};

}  // namespace Tegula::Impl

#endif
