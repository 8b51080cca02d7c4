// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_RANDOM_HPP
#define TEGULA_PERF_RANDOM_HPP

#include <cmath>
#include <cstdint>

namespace Tegula::Perf {

/// The generator splitmix64 (Steele, Lea, Flood, doi:10.1145/2714064.2660195). Distributions of the standard library
/// may differ from one to the next, so the draws are made here.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  /// In [0, 1)
  double uniform() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z               = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z               = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

  /// In [1, most), with a uniform logarithm.
  double log_uniform(double most) { return std::exp2(std::log2(most) * uniform()); }

  /// 0 to count - 1
  int below(int count) { return static_cast<int>(uniform() * count); }

 private:
  std::uint64_t state_;
};

}  // namespace Tegula::Perf

#endif
