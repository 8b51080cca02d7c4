// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <stdexcept>

#include "Tegula_CudaRecord.hpp"
#include "Tegula_Machine.hpp"
#include "Tegula_PlanCache.hpp"

/// Which record calls on Cuda are planned by.

namespace Tegula {
namespace Impl {
namespace {

/// A record that was asked for.
struct Asked {
  std::string by;  // "TEGULA_MACHINE is "H100""
  CudaRates rates;
};

/// Reads a record and keeps it: plans point to its name.
const Asked* read(const std::string& by, const std::string& record) {
  static std::mutex mutex;
  static std::deque<Asked> kept;
  try {
    const Asked asked{by, cuda_record(record)};
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

std::string text_of(int capability) { return std::to_string(capability / 10) + '.' + std::to_string(capability % 10); }

}  // namespace

const CudaRates& cuda_rates_in_use(int capability, std::string_view device) {
  const Asked* const wanted = asked_now();
  if (wanted == nullptr) return cuda_rates(capability, device);
  if (wanted->rates.capability != capability)
    throw std::invalid_argument(wanted->by + ": it is a record of compute capability " +
                                text_of(wanted->rates.capability) + ", the device, " + std::string(device) + ", has " +
                                text_of(capability));
  return wanted->rates;
}

}  // namespace Impl

void use_machine(const std::string& record) {
  Impl::asked = record.empty() ? nullptr : Impl::read("Tegula::use_machine(\"" + record + "\")", record);
  Impl::PlanCache::forget_all();
}

}  // namespace Tegula
