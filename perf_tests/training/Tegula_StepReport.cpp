// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_StepReport.hpp"

#include <cstdio>
#include <vector>

#include "Tegula_PerfDevice.hpp"
#include "Tegula_PerfJson.hpp"
#include "Tegula_PerfMachine.hpp"

namespace Tegula::Training {
namespace {

std::string kernel_line(const StepKernel& kernel) {
  Perf::JsonObject object;
  object.add("label", kernel.label).add("what", kernel.what);
  if (kernel.predicted > 0) object.add("predicted", kernel.predicted);
  if (kernel.measured > 0) object.add("measured", kernel.measured);
  return object.line();
}

Perf::JsonObject context() {
  Perf::JsonObject object;
  object.add("program", "tegula_train_mlp").add("version", Perf::tegula_version()).add("commit", Perf::tegula_commit());
  object.add("kokkos", Perf::kokkos_version()).add("device", Perf::device_name());
  for (const auto& [key, text] : Perf::lasting_device_facts()) object.add(key, text);
  return object;
}

}  // namespace

std::string network_name(int inputs, const TrainOptions& options, int classes) {
  std::string name = std::to_string(inputs);
  const auto add   = [&](int width) { name.append("-").append(std::to_string(width)); };
  for (const int width : options.hidden) add(width);
  add(classes);
  return name;
}

std::string text(const TrainOptions& options, const StepTimes& times) {
  const double median = times.seconds.median;
  std::string how     = "each queued anew";
  if (times.graph_nodes > 0) how = "in graphs, of " + std::to_string(times.graph_nodes) + " nodes each";
  char text[512];
  std::snprintf(text, sizeof text,
                "step of %s, batch %lld, %s: %.4f ms (middle half %.4f to %.4f; %lld groups of %lld steps, %s)\n"
                "%.4g samples/s, %.4g TFLOP/s in products\n\n",
                network_name(options.inputs, options, options.classes).c_str(), static_cast<long long>(options.batch),
                times.type.c_str(), 1e3 * median, 1e3 * times.seconds.q25, 1e3 * times.seconds.q75,
                static_cast<long long>(times.groups), static_cast<long long>(times.group_steps), how.c_str(),
                static_cast<double>(options.batch) / median, 1e-12 * times.product_flops / median);
  return text + Training::text(times.kernels, median);
}

std::string json_text(const TrainOptions& options, const StepTimes& times) {
  std::vector<std::string> kernels;
  for (const StepKernel& kernel : times.kernels.kernels) kernels.push_back(kernel_line(kernel));
  Perf::JsonObject object;
  object.add_raw("context", context().text(1));
  object.add("network", network_name(options.inputs, options, options.classes)).add("batch", options.batch);
  object.add("type", times.type).add("graph_nodes", times.graph_nodes);
  object.add("seconds", times.seconds.median).add("seconds_25", times.seconds.q25);
  object.add("seconds_75", times.seconds.q75).add("groups", times.groups).add("group_steps", times.group_steps);
  object.add("product_flops", times.product_flops);
  object.add("products_predicted", times.kernels.products_predicted);
  object.add("products_measured", times.kernels.products_measured);
  object.add_raw("kernels", Perf::json_array(kernels, 1));
  return object.text() + "\n";
}

}  // namespace Tegula::Training
