// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_MODEL_HPP
#define TEGULA_NARROW_MODEL_HPP

#include "../direct/Tegula_DirectModel.hpp"

/// What the planner knows of the narrow family, fitted to times measured as those of the direct family, and named like
/// them. Reads are of a warp's 64 lines of the long operand for a step of 128 bytes of depth, by NarrowForm;
/// multiply-adds, of a warp's loads of the short one.

namespace Tegula::Impl {

template <class Bits>
inline constexpr DirectModel narrow_model{};
template <>
inline constexpr DirectModel narrow_model<std::uint16_t>{.start     = 4.78e-08,
                                                         .memory    = 1.8,
                                                         .wait      = {2230, 9.49},
                                                         .read      = {133, 125, 201, 202},
                                                         .multiply  = 5.14,
                                                         .alone     = 10.4,
                                                         .store     = {435, 880},
                                                         .activated = 564,
                                                         .kept      = 62,
                                                         .cluster   = {2170, 2540, 3410}};
template <>
inline constexpr DirectModel narrow_model<double>{.start     = 2.69e-07,
                                                  .memory    = 1.83,
                                                  .wait      = {3740, 1450},
                                                  .read      = {133, 107, 174, 125},
                                                  .multiply  = 0.753,
                                                  .alone     = 5.17,
                                                  .store     = {434, 973},
                                                  .activated = 463,
                                                  .kept      = 93.2,
                                                  .cluster   = {573, 616, 1810}};

/// Loads of the short operand for 8 lines and a step of depth of 128 bytes, by NarrowShortRead.
template <class Bits>
inline constexpr std::array<double, 3> narrow_short_reads{};
template <>
inline constexpr std::array<double, 3> narrow_short_reads<std::uint16_t>{2, 8, 16};
template <>
inline constexpr std::array<double, 3> narrow_short_reads<double>{2, 0, 4};

}  // namespace Tegula::Impl

#endif
