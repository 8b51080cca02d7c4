// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STEP_REPORT_HPP
#define TEGULA_STEP_REPORT_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include "Tegula_PerfStatistics.hpp"
#include "Tegula_StepKernels.hpp"
#include "Tegula_TrainOptions.hpp"

namespace Tegula::Training {

/// How long training steps take, without a look at what is learnt.
struct StepTimes {
  std::string type;           ///< of what is stored, as labels have it: "bf16"
  Perf::Quartiles seconds{};  ///< of a step, over groups of steps
  std::int64_t groups      = 0;
  std::int64_t group_steps = 0;
  double product_flops     = 0;  ///< of a step
  std::size_t graph_nodes  = 0;  ///< of a step; 0: it was not replayed
  StepKernels kernels{};
};

/// "784-256-10"
std::string network_name(int inputs, const TrainOptions& options, int classes);

/// In words, with a table of the kernels.
std::string text(const TrainOptions& options, const StepTimes& times);

/// As a file: what the other programs say of a machine, the network, the times, the kernels.
std::string json_text(const TrainOptions& options, const StepTimes& times);

}  // namespace Tegula::Training

#endif
