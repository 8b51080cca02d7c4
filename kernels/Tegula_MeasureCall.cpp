// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>

#include "Tegula_Instances.hpp"
#include "Tegula_Measure.hpp"
#include "Tegula_OwnMemory.hpp"
#include "Tegula_StepClock.hpp"
#include "cuda/Tegula_CudaStepClock.hpp"

/// The measuring variant of describe: a planned call is run on memory of the library's own.

namespace Tegula::Impl {
namespace {

/// Counted and not counted runs.
constexpr int runs = 15, warm_ups = 2;

/// Matrices lie as the caller's do with respect to multiples of so many bytes: more than any kernel asks for.
constexpr std::size_t alignment = 256;

/// From the first element to the end of the last.
std::size_t span_bytes(const CallMatrix& m) {
  if (m.data == nullptr || m.rows == 0 || m.columns == 0) return 0;
  return static_cast<std::size_t>((m.rows - 1) * m.row_stride + (m.columns - 1) * m.column_stride + 1) *
         m.element_bytes;
}

std::size_t bytes_of(std::span<const MeasuredMatrix> matrices) {
  std::size_t bytes = 0;
  for (const MeasuredMatrix& m : matrices) bytes += span_bytes(*m.matrix) + alignment;
  return bytes;
}

/// Moves all matrices to memory of bytes_of() them.
void move_to(char* memory, std::span<const MeasuredMatrix> matrices) {
  for (const auto& [matrix, numbers] : matrices) {
    const std::size_t bytes = span_bytes(*matrix);
    if (bytes == 0) continue;
    const auto address = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data); };
    memory += (address(matrix->data) - address(memory)) % alignment;
    matrix->data = memory;
    memory += bytes;
  }
}

/// Fills a matrix, and what lies between its lines, by copies of what is filled, which double it.
template <class ExecutionSpace>
void fill(const ExecutionSpace& exec, const MeasuredMatrix& measured) {
  using Unmanaged         = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Memory            = Kokkos::View<char*, typename ExecutionSpace::memory_space, Unmanaged>;
  using Numbers           = Kokkos::View<const char*, Kokkos::HostSpace, Unmanaged>;
  char* const begin       = static_cast<char*>(measured.matrix->data);
  const std::size_t bytes = span_bytes(*measured.matrix);
  std::size_t filled      = std::min(bytes, measured.numbers.size());
  Kokkos::deep_copy(exec, Memory(begin, filled),
                    Numbers(reinterpret_cast<const char*>(measured.numbers.data()), filled));
  while (filled < bytes) {
    const std::size_t more = std::min(filled, bytes - filled);
    Kokkos::deep_copy(exec, Memory(begin + filled, more), Memory(begin, more));
    filled += more;
  }
}

/// Whether a run reads what another one has written.
bool is_added_to(const Call& call, const CallMatrix* matrix) {
  return (matrix == &call.C && call.beta != 0) || (matrix == &call.dA && call.update_dA == Update::accumulate) ||
         (matrix == &call.dB && call.update_dB == Update::accumulate) ||
         (matrix == &call.dbias && call.update_dbias == Update::accumulate) ||
         (call.below && matrix == &call.below->dbias && call.below->update_dbias == Update::accumulate);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The medians of the steps of which run() tells a clock; prepare() is not timed.
template <class Clock, class Prepare, class Run>
std::vector<TimedStep> time_often(Clock& clock, const Prepare& prepare, const Run& run) {
  std::vector<std::vector<TimedStep>> timed;
  for (int number = 0; number < warm_ups + runs; ++number) {
    prepare();
    timed.push_back(clock.time(run));
  }
  std::vector<TimedStep> steps = timed.back();
  for (std::size_t s = 0; s < steps.size(); ++s) {
    std::vector<double> seconds;
    for (int number = warm_ups; number < warm_ups + runs; ++number)
      seconds.push_back(timed[static_cast<std::size_t>(number)][s].seconds);
    steps[s].seconds = median(seconds);
  }
  return steps;
}

/// A step as the plan has it.
PlanStep planned_step(const std::vector<PlanStep>& planned, const std::string& label) {
  const auto step =
      std::find_if(planned.begin(), planned.end(), [&](const PlanStep& known) { return known.label == label; });
  return step == planned.end() ? PlanStep{label} : *step;
}

}  // namespace

template <class ExecutionSpace>
Measurement measure_call(const ExecutionSpace& exec, const CheckedCall& checked, const Plan& plan,
                         std::span<const MeasuredMatrix> matrices) {
  const Call& call = checked.call;
  if (is_captured(exec)) checked.arguments.fail("measure waits for kernels, and the stream of exec is being captured");
  Measurement found{plan};
  if (plan.is_empty()) return found;
  const std::size_t before = (plan.workspace_bytes() + alignment - 1) / alignment * alignment;
  const auto memory        = allocated_memory(exec, call.name, measured_memory, before + bytes_of(matrices));
  move_to(memory.data() + before, matrices);
  const auto fill_if = [&](const auto& is_to_be_filled) {
    for (const MeasuredMatrix& m : matrices)
      if (span_bytes(*m.matrix) > 0 && is_to_be_filled(m.matrix)) fill(exec, m);
  };
  const auto fill_again = [&] { fill_if([&](const CallMatrix* matrix) { return is_added_to(call, matrix); }); };
  fill_if([](const CallMatrix*) { return true; });

  StepClock<ExecutionSpace> clock(exec);
  Plan observed     = plan;
  observed.observer = &clock;
  for (const TimedStep& step : time_often(clock, fill_again, [&] { run_plan(exec, call, observed, memory.data()); }))
    found.steps.push_back({planned_step(plan.steps(), step.label), step.seconds});
  const auto whole = time_often(clock, fill_again, [&] {
    clock.begin("");
    run_plan(exec, call, plan, memory.data());
    clock.end();
  });
  found.seconds    = whole.at(0).seconds;
  exec.fence();  // before the memory goes
  return found;
}

#define TEGULA_MEASURE_CALL(PREFIX, SPACE, ...)                                           \
  PREFIX template Measurement measure_call(const SPACE&, const CheckedCall&, const Plan&, \
                                           std::span<const MeasuredMatrix>);
TEGULA_ALL_SPACES(TEGULA_MEASURE_CALL, , )

}  // namespace Tegula::Impl
