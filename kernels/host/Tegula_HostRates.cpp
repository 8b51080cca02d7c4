// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostRates.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "Tegula_RecordFile.hpp"

namespace Tegula::Impl {
namespace {

// Measured: one thread of a virtual machine on an Intel Xeon with AVX-512 (family 6, model 167, a shared last cache),
// 24 products of float and of double for each set of instructions: cycles by those that fit the second cache, memory by
// those of 60 MB and more, the call by the smallest. The model counts two multiply-adds of vectors a cycle, which the
// baseline has no instruction for: its cycles are longer. What several threads take is not measured: a typical server.
constexpr const char* source = "measured on one Intel Xeon";
constexpr double cache = 32e6, memory = 16e9, all_memory = 150e9, call = 0.33e-6, fork = 3e-6;

// By Instructions.
const std::array<HostRates, 3>& table() {
  static const std::array records{
      HostRates{Instructions::baseline, "host with baseline instructions", source, 2.4e9, cache, memory, all_memory,
                call, fork},
      HostRates{Instructions::avx2, "host with avx2", source, 3.6e9, cache, memory, all_memory, call, fork},
      HostRates{Instructions::avx512, "host with avx512", source, 3.3e9, cache, memory, all_memory, call, fork}};
  return records;
}

constexpr std::array numbers{
    RecordNumber<HostRates>{"model_cycles_per_second", &HostRates::cycles, 1e7, 1e11, "as the planner counts them"},
    RecordNumber<HostRates>{"cache_bytes", &HostRates::cache, 1e3, 1e10, "what memory is not waited for"},
    RecordNumber<HostRates>{"memory_bytes_per_second", &HostRates::memory, 1e8, 1e13, "of a thread"},
    RecordNumber<HostRates>{"all_memory_bytes_per_second", &HostRates::all_memory, 1e8, 1e14, "of all threads"},
    RecordNumber<HostRates>{"call_seconds", &HostRates::call, 1e-9, 1e-3, "of a call with nothing to compute"},
    RecordNumber<HostRates>{"fork_seconds", &HostRates::fork, 0, 1e-2, "more, where several threads take part"}};

}  // namespace

const HostRates& host_rates(Instructions instructions) { return table()[static_cast<std::size_t>(instructions)]; }

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
