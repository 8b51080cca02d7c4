// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_UseMachine.hpp"

#include <atomic>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <mutex>
#include <stdexcept>

#include "Tegula_Machine.hpp"
#include "Tegula_PlanCache.hpp"
#include "cuda/Tegula_CudaRecord.hpp"

namespace Tegula {
namespace Impl {
namespace {

/// A record that was asked for.
struct Asked {
  std::string by;  // "TEGULA_MACHINE is "H100""
  MachineRecord record;

  [[noreturn]] void fail(const std::string& what) const { throw std::invalid_argument(by + ": " + what); }
};

/// Reads a record and keeps it: plans point to its name.
const Asked* read(const std::string& by, const std::string& record) {
  static std::mutex mutex;
  static std::deque<Asked> kept;
  try {
    const Asked asked{by, machine_record(record)};
    const std::lock_guard lock(mutex);
    return &kept.emplace_back(asked);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(by + ": " + error.what());
  }
}

const Asked* asked_by_environment() {
  const char* const record = std::getenv("TEGULA_MACHINE");
  if (record == nullptr || *record == '\0') return nullptr;
  return read(std::string("TEGULA_MACHINE is \"") + record + '"', record);
}

const Asked unread{};

/// Null: the library's own records.
std::atomic<const Asked*> asked{&unread};

const Asked* asked_now() {
  const Asked* now = asked;
  if (now != &unread) return now;
  const Asked* const by_environment = asked_by_environment();
  return asked.compare_exchange_strong(now, by_environment) ? by_environment : now;  // or it was another thread's turn
}

/// The record of this kind that was asked for, or null.
template <class Rates>
const Rates* asked_for(const Asked* wanted) {
  return wanted == nullptr ? nullptr : std::get_if<Rates>(&wanted->record);
}

std::string text_of(int capability) { return std::to_string(capability / 10) + '.' + std::to_string(capability % 10); }

}  // namespace

MachineRecord machine_record(const std::string& name_or_file) {
  std::string names;
  for (const CudaRates& rates : all_cuda_rates()) {
    if (rates.name == name_or_file) return rates;
    names += (names.empty() ? "" : ", ") + rates.name;
  }
  std::ifstream lines(name_or_file);
  if (!lines) throw std::invalid_argument('"' + name_or_file + "\" is no file that can be read, and none of " + names);
  RecordFile record(lines, name_or_file);
  if (record.has(host_record_key)) return host_record(record, name_or_file);
  return cuda_record(record, name_or_file);
}

const CudaRates& cuda_rates_in_use(int capability, std::string_view device) {
  const Asked* const wanted    = asked_now();
  const CudaRates* const rates = asked_for<CudaRates>(wanted);
  if (rates == nullptr) return cuda_rates(capability, device);
  if (rates->capability != capability)
    wanted->fail("it is a record of compute capability " + text_of(rates->capability) + ", the device, " +
                 std::string(device) + ", has " + text_of(capability));
  return *rates;
}

const HostRates& host_rates_in_use(Instructions instructions) {
  const Asked* const wanted    = asked_now();
  const HostRates* const rates = asked_for<HostRates>(wanted);
  if (rates == nullptr) return host_rates(instructions);
  if (rates->instructions != instructions)
    wanted->fail(std::string("it is a record of a host with ") + name(rates->instructions) + ", this one uses " +
                 name(instructions));
  return *rates;
}

}  // namespace Impl

void use_machine(const std::string& record) {
  Impl::asked = record.empty() ? nullptr : Impl::read("Tegula::use_machine(\"" + record + "\")", record);
  Impl::PlanCache::forget_all();
}

}  // namespace Tegula
