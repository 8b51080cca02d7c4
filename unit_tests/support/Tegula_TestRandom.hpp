// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_RANDOM_HPP
#define TEGULA_TEST_RANDOM_HPP

#include <cstdint>
#include <random>

namespace Tegula::Test {

/// Inputs are fresh in every run. The seed is printed; the environment variable TEGULA_TEST_SEED repeats a run.
std::uint64_t base_seed();

using Random = std::mt19937_64;

/// A generator whose numbers depend on the base seed and on the full name of the test that runs, types included, but
/// not on which tests ran before: a test of another type draws other numbers.
Random make_random();

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

template <class Container>
const auto& pick(Random& random, const Container& container) {
  return container[random() % container.size()];
}

}  // namespace Tegula::Test

#endif
