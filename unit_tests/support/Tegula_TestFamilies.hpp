// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_FAMILIES_HPP
#define TEGULA_TEST_FAMILIES_HPP

#include <Kokkos_Core.hpp>
#include <array>
#include <string>

/// Kernel families as tests see them: where each runs, and what becomes of a test whose family does not run here.
///
/// Such a test is skipped, and every program ends with a list of what it skipped, and why. The environment variable
/// TEGULA_TEST_REQUIRE names families that must be tested, "wgmma,mma" or "all": if a test of one of those is skipped,
/// for whatever reason, it fails.

namespace Tegula::Test {

inline constexpr std::array<const char*, 17> families{"host",   "direct", "outer", "outer_mma", "narrow", "portable",
                                                      "simt",   "mma",    "wgmma", "tf32",      "tf32x3", "fp32_split",
                                                      "stream", "gemv",   "panel", "tall",      "shallow"};

/// For tests on every execution space: what the planner chooses, and the family that takes everything.
inline constexpr std::array<const char*, 2> chosen_and_portable{"", "portable"};

#ifdef KOKKOS_ENABLE_CUDA
/// Bytes of scratch that a team of a kernel for CUDA has: those of the device, unless kernels are launched as
/// TeamPolicies, which may have less. Asks the library nothing.
int cuda_team_scratch();
#endif

/// Why a family cannot run here; empty if it can. Asks the library nothing: that would be its first use.
std::string why_not(const std::string& family);

/// Says, in SetUp or at the beginning of a test, that it is one of this family, and skips it if that cannot run here.
void needs_family(const std::string& family);

/// Installs what lists skipped tests and fails required ones. Throws std::invalid_argument if TEGULA_TEST_REQUIRE names
/// a family that there is not.
void watch_skips();

}  // namespace Tegula::Test

#endif
