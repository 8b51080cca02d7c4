// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_RANDOM_HPP
#define TEGULA_TEST_RANDOM_HPP

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace Tegula::Test {

/// Inputs are fresh in every run. The seed is printed; the environment variable TEGULA_TEST_SEED repeats a run.
inline std::uint64_t base_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("TEGULA_TEST_SEED");
    return given != nullptr ? std::stoull(given) : static_cast<std::uint64_t>(std::random_device()());
  }();
  return seed;
}

using Random = std::mt19937_64;

/// A generator whose numbers depend on the base seed alone, not on which tests ran before.
inline Random make_random() { return Random(base_seed()); }

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

template <class Container>
const auto& pick(Random& random, const Container& container) {
  return container[random() % container.size()];
}

}  // namespace Tegula::Test

#endif
