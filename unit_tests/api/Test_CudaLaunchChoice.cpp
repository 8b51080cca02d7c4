// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>

#include "Tegula_KokkosCompat.hpp"

/// CMake's option Tegula_CUDA_LAUNCH reaches all that is compiled with the library, and AUTO asks for Kokkos' version.

namespace Tegula::Test {
namespace {

TEST(CudaLaunchChoice, IsWhatTheBuildAsksFor) {
  const std::string asked = TEGULA_TEST_CUDA_LAUNCH;
  EXPECT_EQ(bool(TEGULA_CUDA_ENTRY), asked == "AUTO" ? KOKKOS_VERSION < 50200 : asked == "ENTRY") << asked;
}

}  // namespace
}  // namespace Tegula::Test
