// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STEP_KERNELS_HPP
#define TEGULA_STEP_KERNELS_HPP

#include <Tegula.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace Tegula::Training {

/// A kernel of a training step.
struct StepKernel {
  std::string label;     ///< as Kokkos' tools see it
  std::string what{};    ///< "computes C, 128x256x784"
  double predicted = 0;  ///< seconds; 0: not predicted
  double measured  = 0;  ///< of its call alone; 0: not measured
};

/// All kernels of a step, in the order in which they run.
struct StepKernels {
  std::vector<StepKernel> kernels{};
  double products_predicted = 0;  ///< seconds of all calls of gemm and gemm_backward; 0: not predicted
  double products_measured  = 0;  ///< likewise
};

/// The kernels of a plan, whose times are predicted.
std::vector<StepKernel> kernels_of(const Plan& plan);
/// Those whose times were measured, too.
std::vector<StepKernel> kernels_of(const Measurement& measurement);

/// As a table. step_seconds: what a whole step takes.
std::string text(const StepKernels& kernels, double step_seconds);

/// Of a step of a trainer. `measures` calls of gemm and gemm_backward, each alone.
template <class Trainer>
StepKernels kernels_of_step(const Trainer& trainer, bool measures) {
  const auto& network     = trainer.network();
  const std::int64_t rows = trainer.batch();
  StepKernels step;
  const auto add = [&](const auto& of_call) {
    for (const StepKernel& kernel : kernels_of(of_call)) step.kernels.push_back(kernel);
  };
  const auto add_plan = [&](const Plan& plan) {
    add(plan);
    step.products_predicted += plan.seconds();
  };
  const auto add_measurement = [&](const Measurement& measurement) {
    add(measurement);
    step.products_predicted += measurement.plan.seconds();
    step.products_measured += measurement.seconds;
  };
  const StepKernel loss{"Tegula::softmax_cross_entropy", "loss and its gradient"};
  const StepKernel gathering{"Tegula::gather_batch", "the next batch, beside all gradients"};
  if (measures) {
    network.visit_forward_measurements(rows, add_measurement);
    step.kernels.push_back(loss);
    step.kernels.push_back(gathering);
    network.visit_backward_measurements(rows, add_measurement);
  } else {
    network.visit_forward_plans(rows, add_plan);
    step.kernels.push_back(loss);
    step.kernels.push_back(gathering);
    network.visit_backward_plans(rows, add_plan);
  }
  const bool beside = trainer.updates_beside();
  if (beside) step.kernels.push_back({"Tegula::update", "other layers, beside the gradients of the first one"});
  step.kernels.push_back({"Tegula::update", beside ? "the first layer" : "all parameters"});
  return step;
}

}  // namespace Tegula::Training

#endif
