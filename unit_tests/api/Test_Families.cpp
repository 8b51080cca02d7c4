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

/// Whether it takes a product of Views without gaps, which is as long and thin as some families want it.
template <class Space>
bool takes_dense_views(const char* family) {
  const Kokkos::View<float**, typename Space::memory_space> A("A", 64, 8), B("B", 8, 8), C("C", 64, 8);
  try {
    return make_plan(Space(), A, B, C, {}, {.plan = {.family = family}}).family == std::string(family);
  } catch (const std::invalid_argument&) {
    return false;
  }
}

bool is_offered(const char* family) {
  bool offered = takes_dense_views<Kokkos::DefaultHostExecutionSpace>(family);
#ifdef KOKKOS_ENABLE_CUDA
  offered = offered || takes_dense_views<Kokkos::Cuda>(family);
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
