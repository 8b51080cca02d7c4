// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANDOM_HPP
#define TEGULA_RANDOM_HPP

#include <cstdint>
#include <random>
#include <utility>

namespace Tegula::Training {

/// Random numbers that depend on the seed alone: the standard fixes the engine but not the distributions, nor
/// std::shuffle.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [-limit, limit).
  double symmetric(double limit) { return limit * (2 * uniform() - 1); }

  /// Every order is equally likely. (Fisher and Yates)
  template <class Array>
  void shuffle(const Array& array, std::int64_t count) {
    for (std::int64_t last = count - 1; last > 0; --last) {
      const auto other = static_cast<std::int64_t>(uniform() * static_cast<double>(last + 1));
      std::swap(array(last), array(other));
    }
  }

 private:
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  std::mt19937_64 engine_;
};

}  // namespace Tegula::Training

#endif
