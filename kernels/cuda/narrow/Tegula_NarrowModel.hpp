// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_MODEL_HPP
#define TEGULA_NARROW_MODEL_HPP

#include "../direct/Tegula_DirectModel.hpp"

/// What the planner knows of the narrow family, fitted to times measured on an H200: the numbers of the direct family.
/// Reads are of a warp's 64 lines of the long operand for a step of 128 bytes of depth, by NarrowForm; multiply-adds,
/// of a warp's loads of the short one.

namespace Tegula::Impl {

template <class Bits>
inline constexpr DirectModel narrow_model{};
template <>
inline constexpr DirectModel narrow_model<std::uint16_t>{.start    = 9.76e-08,
                                                         .memory   = 2.14,
                                                         .wait     = {3450, 666},
                                                         .read     = {75.6, 124, 127, 182},
                                                         .multiply = 8.25,
                                                         .alone    = 8.34,
                                                         .store    = {470, 959},
                                                         .cluster  = {2710, 4900, 6440}};
template <>
inline constexpr DirectModel narrow_model<double>{.start    = 9.76e-08,
                                                  .memory   = 2.14,
                                                  .wait     = {3450, 666},
                                                  .read     = {75.6, 124, 127, 182},
                                                  .multiply = 16.5,
                                                  .alone    = 8.34,
                                                  .store    = {470, 959},
                                                  .cluster  = {2710, 4900, 6440}};

/// Loads of the short operand for 8 lines and a step of depth of 128 bytes, by NarrowShortRead.
template <class Bits>
inline constexpr std::array<double, 3> narrow_short_reads{};
template <>
inline constexpr std::array<double, 3> narrow_short_reads<std::uint16_t>{2, 8, 16};
template <>
inline constexpr std::array<double, 3> narrow_short_reads<double>{2, 0, 4};

}  // namespace Tegula::Impl

#endif
