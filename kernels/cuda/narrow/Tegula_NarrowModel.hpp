// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_MODEL_HPP
#define TEGULA_NARROW_MODEL_HPP

#include "../direct/Tegula_DirectModel.hpp"

/// What the planner knows of the narrow family, fitted to times measured on an H200: the numbers of the direct family.
/// Reads are of a warp's 64 lines of the long operand for 64 steps of depth, by NarrowForm; multiply-adds, of a warp's
/// loads of the short one.

namespace Tegula::Impl {

inline constexpr DirectModel narrow_model{.start    = 9.53e-08,
                                          .memory   = 2.21,
                                          .wait     = {3390, 605},
                                          .read     = {86.1, 126, 125, 184},
                                          .multiply = 8.83,
                                          .alone    = 8.04,
                                          .store    = {469, 975},
                                          .cluster  = {2580, 4830, 6010}};

/// Loads of the short operand for 8 lines and 64 steps of depth, by NarrowShortRead.
inline constexpr std::array narrow_short_reads{2.0, 8.0, 16.0};

}  // namespace Tegula::Impl

#endif
