// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_MODEL_HPP
#define TEGULA_NARROW_MODEL_HPP

#include "../direct/Tegula_DirectModel.hpp"

/// What the planner knows of the narrow family, fitted to times measured on an H200: the numbers of the direct family.
/// Reads are of a warp's 64 lines of the long operand for 64 steps of depth, by NarrowForm; multiply-adds, of a warp's
/// loads of the short one.

namespace Tegula::Impl {

inline constexpr DirectModel narrow_model{.start    = 7.41e-09,
                                          .memory   = 1.2,
                                          .wait     = {2030, 600},
                                          .read     = {16, 24, 40, 48},
                                          .multiply = 2,
                                          .alone    = 4,
                                          .store    = {620, 1280},
                                          .cluster  = {1940, 2260, 3280}};

/// Loads of the short operand for 8 lines and 64 steps of depth, by NarrowShortRead.
inline constexpr std::array narrow_short_reads{2.0, 8.0, 16.0};

}  // namespace Tegula::Impl

#endif
