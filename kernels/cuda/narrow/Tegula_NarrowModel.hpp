// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_MODEL_HPP
#define TEGULA_NARROW_MODEL_HPP

#include "../direct/Tegula_DirectModel.hpp"

/// What the planner knows of the narrow family, fitted to times measured on an H200: the numbers of the direct family.
/// Reads are of a warp's 64 lines of the long operand for 64 steps of depth, by NarrowForm; multiply-adds, of a warp's
/// loads of the short one.

namespace Tegula::Impl {

inline constexpr DirectModel narrow_model{.start    = 9.76e-08,
                                          .memory   = 2.14,
                                          .wait     = {3450, 666},
                                          .read     = {75.6, 124, 127, 182},
                                          .multiply = 8.25,
                                          .alone    = 8.34,
                                          .store    = {470, 959},
                                          .cluster  = {2710, 4900, 6440}};

/// Loads of the short operand for 8 lines and 64 steps of depth, by NarrowShortRead.
inline constexpr std::array narrow_short_reads{2.0, 8.0, 16.0};

}  // namespace Tegula::Impl

#endif
