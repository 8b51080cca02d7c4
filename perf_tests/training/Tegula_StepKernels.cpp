// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_StepKernels.hpp"

#include <algorithm>
#include <cstdio>

namespace Tegula::Training {
namespace {

std::string extents(const GemmShape& shape) {
  return std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
}

/// What a kernel does, with the extents of the products that it computes.
std::string what_of(const Plan& plan, const PlanStep& step) {
  std::string what = step.what;
  for (const ProductPlan& product : plan.products) {
    const bool computes =
        product.teams() > 0 && what.starts_with("computes") && step.what.find(product.name) != std::string::npos;
    if (computes) what += ", " + extents(product.shape);
  }
  return what;
}

std::string microseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f us", 1e6 * seconds);
  return seconds > 0 ? text : "-";
}

std::string line(const std::string& label, std::size_t width, const std::string& predicted, const std::string& measured,
                 const std::string& what) {
  const auto padded = [](const std::string& text, std::size_t to) {
    return std::string(to > text.size() ? to - text.size() : 0, ' ');
  };
  return "  " + label + padded(label, width) + padded(predicted, 12) + predicted + padded(measured, 12) + measured +
         "  " + what + "\n";
}

std::string share(const char* how, double seconds, double step_seconds) {
  char text[96];
  std::snprintf(text, sizeof text, "%s%s, %.0f %% of a step", how, microseconds(seconds).c_str(),
                100 * seconds / step_seconds);
  return seconds > 0 ? text : "";
}

}  // namespace

std::vector<StepKernel> kernels_of(const Plan& plan) {
  std::vector<StepKernel> kernels;
  for (const PlanStep& step : plan.steps()) kernels.push_back({step.label, what_of(plan, step), step.seconds});
  return kernels;
}

std::vector<StepKernel> kernels_of(const Measurement& measurement) {
  std::vector<StepKernel> kernels;
  for (const auto& [step, seconds] : measurement.steps) {
    kernels.push_back({step.label, what_of(measurement.plan, step), step.seconds, seconds});
  }
  return kernels;
}

std::string text(const StepKernels& kernels, double step_seconds) {
  std::size_t width = 0;
  for (const StepKernel& kernel : kernels.kernels) width = std::max(width, kernel.label.size());
  std::string text =
      line(std::to_string(kernels.kernels.size()) + " kernels of a step", width, "predicted", "measured", "");
  for (const StepKernel& kernel : kernels.kernels) {
    text += line(kernel.label, width, microseconds(kernel.predicted), microseconds(kernel.measured), kernel.what);
  }
  const std::string predicted = share("predicted ", kernels.products_predicted, step_seconds);
  const std::string measured  = share("measured ", kernels.products_measured, step_seconds);
  if (!predicted.empty() || !measured.empty()) {
    text += "products: " + predicted + (predicted.empty() || measured.empty() ? "" : "; ") + measured + "\n";
  }
  return text;
}

}  // namespace Tegula::Training
