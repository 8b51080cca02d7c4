// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <iostream>

#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestRandom.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  Tegula::Test::watch_skips();
  std::cout << "inputs are drawn with TEGULA_TEST_SEED=" << Tegula::Test::base_seed() << '\n';
  const int failed = RUN_ALL_TESTS();
  // A filter that matches nothing must not look like a success.
  return testing::UnitTest::GetInstance()->test_to_run_count() == 0 ? 1 : failed;
}
