// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_TUNED_CHOICES_HPP
#define TEGULA_PERF_TUNED_CHOICES_HPP

#include <optional>
#include <string>

#include "Tegula_PerfTimes.hpp"
#include "tuning/Tegula_ProblemClass.hpp"
#include "tuning/Tegula_TunedWay.hpp"

namespace Tegula::Perf {

/// What calls take on a card by a file of tegula_tune, without the card.
class TunedChoices {
 public:
  /// Throws std::invalid_argument if the file cannot be read, or has no entry of the card.
  TunedChoices(const std::string& file, const Card& card);

  /// The planner's own is for whatever has no name of its own. Nothing if the file has no entry of the call.
  std::optional<Way> way(const Impl::Call& call, const Impl::CudaMachine& machine) const;

  /// Those of the calls that the file has entries of.
  std::vector<CallTimes> known_of(const std::vector<CallTimes>& times) const;

 private:
  const Impl::TunedWay* find(const Impl::Call& call) const;

  Impl::ProblemTable<Impl::TunedWay> ways_;
};

}  // namespace Tegula::Perf

#endif
