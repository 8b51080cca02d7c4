// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <stdexcept>

#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestMatrix.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Tegula_TestCudaCalls.hpp"
#endif

/// The library offers every kernel family where tests expect it to run, and nowhere else. A family that is not there is
/// reported as skipped, whatever else the build contains; TEGULA_TEST_REQUIRE turns that into a failure.

namespace Tegula::Test {
namespace {

bool takes_calls_on_hosts(const char* family) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Kokkos::View<float**, Kokkos::HostSpace> A("A", 64, 64), C("C", 64, 64);
  try {
    return make_plan(Space(), A, A, C, {}, {.plan = {.family = family}}).family == std::string(family);
  } catch (const std::invalid_argument&) {
    return false;
  }
}

bool is_offered(const char* family) {
  bool offered = takes_calls_on_hosts(family);
#ifdef KOKKOS_ENABLE_CUDA
  for (const CudaWay& way : cuda_ways) {
    if (family != std::string(way.family)) continue;
    Random random = make_random();
    try {
      make_layer(random, {300, 200, 400}, way.name, 0, 8)->plans(Kokkos::Cuda());
      offered = true;
    } catch (const std::invalid_argument&) {
    }
  }
#endif
  return offered;
}

class Families : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Of, Families, testing::ValuesIn(families), [](const auto& info) { return info.param; });

TEST_P(Families, AreOfferedWhereTheyRun) {
  EXPECT_EQ(is_offered(GetParam()), why_not(GetParam()).empty());
  needs_family(GetParam());
}

}  // namespace
}  // namespace Tegula::Test
