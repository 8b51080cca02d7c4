// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfTunedChoices.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "tuning/Tegula_TuningFile.hpp"

namespace Tegula::Perf {

TunedChoices::TunedChoices(const std::string& file, const Card& card) {
  bool has_any = false;
  for (const Impl::TuningEntry& entry : Impl::tuning_entries(Impl::text_of_file(file), file)) {
    if (entry.device.name != card.name || entry.device.multiprocessors != card.multiprocessors) continue;
    ways_[entry.problem] = entry.way;
    has_any              = true;
  }
  if (!has_any)
    throw std::invalid_argument(file + " has no entry of a " + card.name + " with " +
                                std::to_string(card.multiprocessors) + " multiprocessors");
}

const Impl::TunedWay* TunedChoices::find(const Impl::Call& call) const {
  const auto problem = Impl::packed(call, true);
  return problem ? ways_.find(*problem) : nullptr;
}

std::optional<Way> TunedChoices::way(const Impl::Call& call, const Impl::CudaMachine& machine) const {
  const Impl::TunedWay* const found = find(call);
  if (found == nullptr) return std::nullopt;
  if (Impl::is_planners_own(*found)) return chosen_way(call, machine);
  const Impl::ProductWay& product = found->products[0];
  return Way{product.family, product.tile, product.split_k, product.whole_waves};
}

std::vector<CallTimes> TunedChoices::known_of(const std::vector<CallTimes>& times) const {
  std::vector<CallTimes> known;
  std::copy_if(times.begin(), times.end(), std::back_inserter(known),
               [&](const CallTimes& call) { return find(planned_call(call.call)) != nullptr; });
  return known;
}

}  // namespace Tegula::Perf
