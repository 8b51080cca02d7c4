// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostRates.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "Tegula_RecordFile.hpp"

namespace Tegula::Impl {
namespace {

// One thread of a virtual machine on an AMD EPYC (family 25, model 17) that others used, too. Of avx512, cycles, call
// and cache_rate were fitted to the ways of 480 calls of gemm (tegula_host_regret, seeds 11 and 12); cycles of the
// other sets are those of the library's older record, scaled by measured / predicted times of 80 calls. memory is what
// tegula_calibrate measured: those fits do not determine it. near is that processor's second cache. launch was set so
// that the smallest calls of gemm_backward come out right; tegula_calibrate finds 0.14e-6. cache, all_memory and fork
// are not measured: a typical server. The model counts two multiply-adds of vectors a cycle, which the baseline has no
// instruction for and that processor half as many of 512 bits: its cycles are longer.
constexpr const char* source = "fitted on one AMD EPYC, several threads not measured";
constexpr double near = 1e6, cache_rate = 140e9, cache = 32e6, memory = 22e9, all_memory = 150e9, call = 0.22e-6,
                 launch = 0.6e-6, fork = 3e-6;
constexpr std::array cycles{2e9, 2.6e9, 1.76e9};  // by Instructions

// Processors whose units have all 512 bits: one or two threads of an AMD EPYC (family 26, model 2), likewise of a
// virtual machine. cycles and call make predicted times of 240 calls on two threads right in the mean (seeds 32 and 33,
// while a launch took 3 us; while it took 1 us, others took 0.84 to 0.96 of them); memory is what tegula_calibrate
// measured there, fork between those two. An Intel Xeon with AMX has 2.92e9 cycles.
constexpr const char* whole_source = "fitted on one AMD EPYC, two threads";
constexpr double whole_cycles = 3.8e9, whole_memory = 60e9, whole_call = 0.13e-6, whole_fork = 2e-6;

/// Of each set of instructions, and of processors with the last one that do not halve it.
const std::array<HostRates, 4>& table() {
  static const std::array records{
      HostRates{Instructions::baseline, "host with baseline instructions", source, cycles[0], near, cache_rate, cache,
                memory, all_memory, call, launch, fork},
      HostRates{Instructions::avx2, "host with avx2", source, cycles[1], near, cache_rate, cache, memory, all_memory,
                call, launch, fork},
      HostRates{Instructions::avx512, "host with avx512 in halves", source, cycles[2], near, cache_rate, cache, memory,
                all_memory, call, launch, fork},
      HostRates{Instructions::avx512, "host with avx512", whole_source, whole_cycles, near, cache_rate, cache,
                whole_memory, all_memory, whole_call, launch, whole_fork}};
  return records;
}

/// Nanoseconds of an element: value in float and in double, slope in float and in double. Measured by runs of 448 in
/// the first cache on the processor of `cycles`, and scaled by what whole vectors (Tegula_HostNumbers.hpp) take of
/// that on an Intel Xeon.
struct ActivationTimes {
  double value_float, value_double, slope_float, slope_double;
};

// By Instructions: Relu, LeakyRelu, Tanh, Sigmoid, Silu, GeluTanh, GeluErf.
constexpr std::array<std::array<ActivationTimes, 7>, 3> activation_times{{
    {{{0.15, 0.31, 0.21, 0.44},
      {0.21, 0.36, 0.21, 0.48},
      {1.29, 4.32, 0.18, 0.59},
      {1.01, 3.68, 0.17, 0.41},
      {1.09, 3.61, 1.80, 6.14},
      {1.43, 4.81, 2.33, 8.01},
      {2.33, 7.39, 2.69, 8.67}}},  // baseline
    {{{0.10, 0.20, 0.17, 0.23},
      {0.15, 0.12, 0.22, 0.32},
      {0.42, 1.24, 0.15, 0.23},
      {0.37, 1.01, 0.14, 0.23},
      {0.40, 1.09, 0.68, 1.70},
      {0.50, 1.26, 0.88, 2.16},
      {0.84, 2.62, 0.92, 2.77}}},  // avx2
    {{{0.06, 0.11, 0.10, 0.20},
      {0.08, 0.14, 0.11, 0.21},
      {0.34, 0.86, 0.09, 0.19},
      {0.21, 0.70, 0.10, 0.18},
      {0.23, 0.63, 0.38, 1.02},
      {0.27, 0.84, 0.54, 1.29},
      {0.60, 1.85, 0.64, 1.79}}},  // avx512
}};

constexpr std::array numbers{
    RecordNumber<HostRates>{"model_cycles_per_second", &HostRates::cycles, 1e7, 1e11, "as the planner counts them"},
    RecordNumber<HostRates>{"near_cache_bytes", &HostRates::near, 1e3, 1e9, "that a thread has to itself"},
    RecordNumber<HostRates>{"cache_bytes_per_second", &HostRates::cache_rate, 1e8, 1e13, "beyond them, of a thread"},
    RecordNumber<HostRates>{"cache_bytes", &HostRates::cache, 1e3, 1e10, "what memory is not waited for"},
    RecordNumber<HostRates>{"memory_bytes_per_second", &HostRates::memory, 1e8, 1e13, "of a thread"},
    RecordNumber<HostRates>{"all_memory_bytes_per_second", &HostRates::all_memory, 1e8, 1e14, "of all threads"},
    RecordNumber<HostRates>{"call_seconds", &HostRates::call, 1e-9, 1e-3, "of a call with nothing to compute"},
    RecordNumber<HostRates>{"launch_seconds", &HostRates::launch, 0, 1e-2, "more, of several tiles on one thread"},
    RecordNumber<HostRates>{"fork_seconds", &HostRates::fork, 0, 1e-2, "the same on several threads"}};

}  // namespace

const HostRates& host_rates(Instructions instructions, bool in_halves) {
  const bool is_whole = instructions == Instructions::avx512 && !in_halves;
  return table()[static_cast<std::size_t>(instructions) + (is_whole ? 1 : 0)];
}

const HostRates& host_rates(Instructions instructions) { return host_rates(instructions, halves_512_bits()); }

double activation_cycles(Instructions instructions, int position, bool is_double, Applied applied) {
  constexpr int identity = 0, gelu_tanh = 6;
  if (position == identity) return 0;
  const auto set = static_cast<std::size_t>(instructions);
  const ActivationTimes& times =
      activation_times[set][static_cast<std::size_t>(position < 0 ? gelu_tanh : position) - 1];
  const double nanoseconds = applied == Applied::value ? (is_double ? times.value_double : times.value_float)
                                                       : (is_double ? times.slope_double : times.slope_float);
  return 1e-9 * nanoseconds * cycles[set];
}

std::string text(const HostRates& rates) {
  return record_version() + record_line(host_record_key, name(rates.instructions)) + record_line("name", rates.name) +
         record_line("source", rates.source) + record_lines(numbers, rates);
}

HostRates host_record(RecordFile& record, const std::string& file) {
  HostRates rates{};
  const std::string wanted = record.take(host_record_key);
  const auto known         = std::find_if(table().begin(), table().end(),
                                          [&](const HostRates& rates) { return wanted == name(rates.instructions); });
  if (known == table().end())
    throw std::invalid_argument(file + ": instructions is \"" + wanted + "\", not baseline, avx2 or avx512");
  rates.instructions = known->instructions;
  rates.name         = record.take("name");
  rates.source       = file + ": " + record.take("source");
  record.take_numbers(numbers, rates);
  record.check_all_taken();
  return rates;
}

}  // namespace Tegula::Impl
