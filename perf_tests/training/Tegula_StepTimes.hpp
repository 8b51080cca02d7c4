// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STEP_TIMES_HPP
#define TEGULA_STEP_TIMES_HPP

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Tegula_StepReport.hpp"
#include "Tegula_Trainer.hpp"

namespace Tegula::Training {

constexpr std::int64_t fewest_groups = 5;

/// Steps between two fences: what lies around them is then little, and the data of so many batches is not much.
template <class ExecutionSpace>
std::int64_t steps_of_group(const TrainOptions& options) {
  constexpr std::int64_t most_bytes = 1 << 27, most_steps = 64, unit = RepeatedWork<ExecutionSpace>::times_a_graph;
  const std::int64_t wanted = std::min(ceil_div(options.steps, fewest_groups), most_steps);
  const std::int64_t steps  = std::clamp(most_bytes / (options.batch * options.inputs), std::int64_t(1), wanted);
  return steps < unit ? steps : steps / unit * unit;
}

/// Times at least options.steps steps on noise.
template <class ExecutionSpace, class Storage>
StepTimes time_steps(TrainOptions options) {
  constexpr int not_counted = 2;  // groups, in which graphs are captured, and caches filled
  const std::int64_t group  = steps_of_group<ExecutionSpace>(options);
  const std::int64_t groups = std::max(fewest_groups, ceil_div(options.steps, group));
  options.epochs            = static_cast<int>(groups) + not_counted;  // a group is an epoch
  Trainer<ExecutionSpace, Storage> trainer(options, noise(group * options.batch, options.inputs, options.classes));
  std::vector<double> seconds;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    trainer.begin_epoch();
    const Kokkos::Timer timer;
    trainer.queue_steps([](double) {});
    trainer.exec().fence();
    if (epoch >= not_counted) seconds.push_back(timer.seconds() / static_cast<double>(group));
  }
  const auto& network = trainer.network();
  StepTimes times{ScalarTraits<Storage>::name, Perf::quartiles(seconds), groups, group};
  times.product_flops = network.forward_flops(options.batch) + network.backward_flops(options.batch);
  times.graph_nodes   = trainer.graph_nodes();
  times.kernels       = kernels_of_step(trainer, options.measure);
  return times;
}

}  // namespace Tegula::Training

#endif
