// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_WITHOUT_HPP
#define TEGULA_PERF_WITHOUT_HPP

#include <map>
#include <string>
#include <vector>

#include "Tegula_PerfPredictions.hpp"

/// What calls lose without several families or tiles at once, by measured times of ways that are predicted, too.

namespace Tegula::Perf {

/// Of a call: the time of the best way that is left over that of the best one, and likewise of the ways that are
/// predicted to be the fastest, which the planner takes.
struct Loss {
  const CallTimes* times;
  double best, planned;
};

/// By type. What is left out is a family, such as "simt", or a tile of it in either direction, "simt:64x128x16". Calls
/// of which nothing else was measured well are not among them. Throws std::invalid_argument if no way is of one of
/// these names.
std::map<std::string, std::vector<Loss>> losses_without(const std::vector<std::string>& names,
                                                        const std::vector<Prediction>& predictions);

/// A table of them, and of each type the `worst` calls.
std::string describe(const std::map<std::string, std::vector<Loss>>& losses, int worst);

}  // namespace Tegula::Perf

#endif
