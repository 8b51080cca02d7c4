// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RACE_HPP
#define TEGULA_RACE_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// Which of many ways to do the same is the fastest, found in little time: all are measured once, and then those that
/// may still be the fastest again and again, fewer every time (successive halving: Jamieson, Talwalkar,
/// arXiv:1502.07943).

namespace Tegula::Perf {

struct RaceLimits {
  double factor  = 4;    ///< ways predicted to take longer than the shortest prediction times this are left out
  double seconds = 0.8;  ///< for all; the first way and the one with the shortest prediction are measured in any case
  int rounds     = 25;   ///< at most, behind the first
  double give_up = 1.5;  ///< ways that once took longer than the best one times this are left
  /// The first way is kept unless another one takes less than this part of its time: differences above it are noise.
  double worth = 0.97;
};

/// What a race asks of its ways and its clock.
struct RaceTrack {
  /// Seconds that a way takes, measured for the first time: it is checked, too. Throws if its results are wrong. `best`
  /// is the best time of others.
  std::function<double(std::size_t way, double best)> first;
  /// The same, measured again.
  std::function<double(std::size_t way, double best)> again;
  /// Seconds that have passed since some moment.
  std::function<double()> now;
};

struct RaceResult {
  std::size_t best = 0;
  std::vector<double> seconds{};        ///< of each way; infinite: it was not measured
  std::vector<std::string> failures{};  ///< what the ways that failed threw
  int measured = 0;
};

/// Of ways with these predicted times; the first one is what is done unless another is faster. Throws
/// std::runtime_error if the first way fails: nothing is known then.
RaceResult race(const std::vector<double>& predicted, const RaceLimits& limits, const RaceTrack& track);

}  // namespace Tegula::Perf

#endif
