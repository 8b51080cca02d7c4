// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TestRandom.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace Tegula::Test {
namespace {

/// FNV-1a of 64 bits: the same with every compiler, so that a seed means the same everywhere.
std::uint64_t hash(const std::string& text) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const unsigned char character : text) value = (value ^ character) * 0x100000001b3u;
  return value;
}

}  // namespace

std::uint64_t base_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("TEGULA_TEST_SEED");
    return given != nullptr ? std::stoull(given) : static_cast<std::uint64_t>(std::random_device()());
  }();
  return seed;
}

Random make_random() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return Random(base_seed());
  return Random(base_seed() ^ hash(std::string(test->test_suite_name()) + '.' + test->name()));
}

}  // namespace Tegula::Test
