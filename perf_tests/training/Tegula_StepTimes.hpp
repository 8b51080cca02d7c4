// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STEP_TIMES_HPP
#define TEGULA_STEP_TIMES_HPP

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Tegula_StepReport.hpp"
#include "Tegula_Trainer.hpp"

namespace Tegula::Training {

/// Steps between two fences: what lies around them is then little, and the data of so many batches is not much.
template <class ExecutionSpace>
std::int64_t steps_of_group(const TrainOptions& options) {
  constexpr std::int64_t most_bytes = 1 << 27, most_steps = 64, unit = RepeatedWork<ExecutionSpace>::times_a_graph;
  const std::int64_t steps = std::clamp(most_bytes / (options.batch * options.inputs), std::int64_t(1), most_steps);
  return steps < unit ? steps : steps / unit * unit;
}

/// Times at least options.steps steps on noise.
template <class ExecutionSpace, class Storage>
StepTimes time_steps(const ExecutionSpace& exec, const TrainOptions& options) {
  constexpr std::int64_t fewest_groups = 5;
  constexpr std::int64_t not_counted   = 2;  // in which graphs are captured, and caches filled
  const std::int64_t group             = steps_of_group<ExecutionSpace>(options);
  const std::int64_t groups            = std::max(fewest_groups, ceil_div(options.steps, group));
  Trainer<ExecutionSpace, Storage> trainer(exec, options,
                                           noise(group * options.batch, options.inputs, options.classes));
  std::vector<double> seconds;
  for (std::int64_t number = -not_counted; number < groups; ++number) {
    trainer.begin_epoch();
    const Kokkos::Timer timer;
    trainer.queue_steps([](double) {});
    exec.fence();
    if (number >= 0) seconds.push_back(timer.seconds() / static_cast<double>(group));
  }
  const auto& network = trainer.network();
  const double flops  = network.forward_flops(options.batch) + network.backward_flops(options.batch);
  return {ScalarTraits<Storage>::name,
          Perf::quartiles(seconds),
          groups,
          group,
          flops,
          trainer.graph_nodes(),
          kernels_of_step(network, options.batch, options.measure)};
}

}  // namespace Tegula::Training

#endif
