// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PREDICTIONS_HPP
#define TEGULA_PERF_PREDICTIONS_HPP

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "Tegula_PerfTimes.hpp"

/// How well the models of the families predict measured times.

namespace Tegula::Perf {

/// Seconds that a way to compute a call is predicted to take, or nothing.
using Predictor = std::function<std::optional<double>(const Impl::Call&, const Way&)>;

/// A way that was measured, and its prediction.
struct Prediction {
  const CallTimes* times;
  const WayTime* way;
  double microseconds;  ///< predicted

  /// predicted / measured
  double ratio() const { return microseconds / way->microseconds; }
};

/// Of all ways that were measured well and are predicted. The times must live as long as the result.
std::vector<Prediction> predictions(const std::vector<CallTimes>& times, const Predictor& predictor);

/// A table by type, family and tile of the ratios of ways that take no longer than `near` times the best of their call,
/// which are those that the planner must tell apart: their number, their geometric mean, and the spread around it, the
/// exponential of the standard deviation of the logarithms.
std::string describe(const std::vector<Prediction>& predictions, double near);

/// Which ways were measured well and are not among these predictions, family by family and tile by tile, in a line:
/// those of tiles that are no more. Nothing if there are none.
std::string describe_gone(const std::vector<CallTimes>& times, const std::vector<Prediction>& predictions);

/// Lines "type,compute,ops,m,n,k,set,family,tile,split_k,microseconds,predicted" below that heading, a line a way.
std::string csv(const std::vector<Prediction>& predictions);

}  // namespace Tegula::Perf

#endif
