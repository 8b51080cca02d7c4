// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_STATISTICS_HPP
#define TEGULA_PERF_STATISTICS_HPP

#include <string>
#include <vector>

namespace Tegula::Perf {

/// The value below which a share `part` of the values lies, interpolated between its two neighbours. There must be
/// values.
double quantile(std::vector<double> values, double part);

/// Between q25 and q75 lies the middle half.
struct Quartiles {
  double q25, median, q75;
};
Quartiles quartiles(const std::vector<double>& values);

/// A ratio in the row of a shape.
struct NamedRatio {
  std::string shape;
  double ratio;
};

/// How ratios are distributed over shapes.
struct Distribution {
  double geometric_mean, percentile_10, percentile_50;
  NamedRatio worst;  ///< the smallest
};
/// There must be ratios.
Distribution distribution(const std::vector<NamedRatio>& ratios);

}  // namespace Tegula::Perf

#endif
