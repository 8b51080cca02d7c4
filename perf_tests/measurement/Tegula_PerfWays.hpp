// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_WAYS_HPP
#define TEGULA_PERF_WAYS_HPP

#include <optional>
#include <string>
#include <vector>

#include "Tegula_Call.hpp"
#include "cuda/Tegula_CudaMachine.hpp"

/// All ways in which Tegula's kernels for CUDA can compute a call of gemm, without a device.

namespace Tegula::Perf {

/// A way to compute a product, as options ask for it.
struct Way {
  std::string family;
  TileShape tile{};
  std::int64_t split_k = 1;
  int whole_waves      = 0;

  PlanOptions options() const {
    return {.family = family, .tile = tile, .split_k = static_cast<int>(split_k), .whole_waves = whole_waves};
  }

  friend bool operator==(const Way&, const Way&) = default;
};

/// "2", or, where only what is left of so many waves of tiles is cut, "1+6".
std::string cut_text(const Way& way);

/// "wgmma 128x256x64/2"
std::string text(const Way& way);

/// The way that the planner takes by itself, and after it all that families propose for the call: every tile, with more
/// cuts of the inner dimension than the planner looks at. No way is there twice.
std::vector<Way> ways_of(const Impl::Call& call, const Impl::CudaMachine& machine);

/// The way that the planner takes by itself.
Way chosen_way(const Impl::Call& call, const Impl::CudaMachine& machine);

/// What the planner predicts that a way takes; nothing if no family proposes it.
std::optional<double> predicted_seconds(const Impl::Call& call, const Way& way, const Impl::CudaMachine& machine);

/// A device of a record, as planners know it, with all of its scratch. The record must live as long as the machine.
Impl::CudaMachine machine_of(const Impl::CudaRates& rates);

/// The default of what needs a machine.
inline Impl::CudaMachine h200() { return machine_of(*Impl::cuda_rates_of_card("H200")); }

}  // namespace Tegula::Perf

#endif
