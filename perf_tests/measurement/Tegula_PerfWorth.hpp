// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_WORTH_HPP
#define TEGULA_PERF_WORTH_HPP

#include <string>
#include <vector>

#include "Tegula_PerfTimes.hpp"

/// What kernels are there for: how much longer the best way takes if there is no such family, or no such tile, by
/// measured times. What nobody misses need not be compiled.

namespace Tegula::Perf {

/// Of the calls of one type that a family, or one of its tiles, computes and something else does, too.
struct Worth {
  std::string type, family;
  TileShape tile{};              ///< 0x0x0: the whole family
  std::vector<double> losses{};  ///< time of the best other way / time of the best one, the largest first

  double geometric_mean() const;
  /// How many calls take longer than so many times the best without it.
  int beyond(double loss) const;
};

/// By type and family, a family before its tiles.
std::vector<Worth> worths(const std::vector<CallTimes>& times);

/// A table of them.
std::string describe(const std::vector<Worth>& worths);

}  // namespace Tegula::Perf

#endif
