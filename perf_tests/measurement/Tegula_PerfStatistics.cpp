// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfStatistics.hpp"

#include <algorithm>
#include <cmath>

namespace Tegula::Perf {

double quantile(std::vector<double> values, double part) {
  const double place     = part * static_cast<double>(values.size() - 1);
  const auto below       = static_cast<std::size_t>(place);
  const auto above       = std::min(below + 1, values.size() - 1);
  const auto low_element = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), low_element, values.end());
  const double low  = *low_element;
  const double high = above == below ? low : *std::min_element(low_element + 1, values.end());
  return low + (place - static_cast<double>(below)) * (high - low);
}

Quartiles quartiles(const std::vector<double>& values) {
  return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)};
}

Distribution distribution(const std::vector<NamedRatio>& ratios) {
  std::vector<double> values;
  double logarithms = 0;
  for (const NamedRatio& named : ratios) {
    values.push_back(named.ratio);
    logarithms += std::log(named.ratio);
  }
  const auto worst = std::min_element(ratios.begin(), ratios.end(),
                                      [](const NamedRatio& a, const NamedRatio& b) { return a.ratio < b.ratio; });
  return {std::exp(logarithms / static_cast<double>(ratios.size())), quantile(values, 0.1), quantile(values, 0.5),
          *worst};
}

}  // namespace Tegula::Perf
