// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaRecord.hpp"

#include <array>
#include <stdexcept>

namespace Tegula::Impl {
namespace {

constexpr double most_units = 65536;
constexpr std::array numbers{
    RecordNumber<CudaRates>{"capability", &CudaRates::capability, 80, 999, "90: compute capability 9.0"},
    RecordNumber<CudaRates>{"multiprocessors", &CudaRates::multiprocessors, 1, 4096, "of such a device"},
    RecordNumber<CudaRates>{"team_scratch_bytes", &CudaRates::team_scratch, 49152, 16777216, "of a block, at most"},
    RecordNumber<CudaRates>{"clock_hz", &CudaRates::clock, 1e8, 1e10, "cycles a second"},
    RecordNumber<CudaRates>{"wgmma_half", &CudaRates::wgmma_half, 0, most_units,
                            "multiply-adds a cycle of a multiprocessor"},
    RecordNumber<CudaRates>{"wgmma_tf32", &CudaRates::wgmma_tf32, 0, most_units, "0: there is no such instruction"},
    RecordNumber<CudaRates>{"mma_half", &CudaRates::mma_half, 1, most_units, "by mma.sync"},
    RecordNumber<CudaRates>{"mma_double", &CudaRates::mma_double, 1, most_units, "by mma.sync"},
    RecordNumber<CudaRates>{"fma_float", &CudaRates::fma_float, 1, most_units, "outside of tensor cores"},
    RecordNumber<CudaRates>{"fma_double", &CudaRates::fma_double, 1, most_units, "outside of tensor cores"},
    RecordNumber<CudaRates>{"memory_bytes_per_second", &CudaRates::memory, 1e9, 1e15, "reads and writes of a copy"},
    RecordNumber<CudaRates>{"cache_bytes_per_second", &CudaRates::cache, 1e9, 1e16, "reads of the second cache"},
    RecordNumber<CudaRates>{"kernel_seconds", &CudaRates::kernel, 1e-8, 1e-3, "of one that does nothing, in a graph"}};

/// A planner divides by the rates of all instructions that a device has.
void check_units(const CudaRates& rates, const std::string& file) {
  constexpr int hopper = 90;
  if (rates.capability == hopper && !(rates.wgmma_half > 0 && rates.wgmma_tf32 > 0))
    throw std::invalid_argument(file + ": wgmma_half is " + record_text(rates.wgmma_half) + " and wgmma_tf32 is " +
                                record_text(rates.wgmma_tf32) + ", but compute capability 9.0 has these instructions");
}

}  // namespace

std::string text(const CudaRates& rates) {
  return record_version() + record_line("name", rates.name) + record_line("source", rates.source) +
         record_lines(numbers, rates);
}

CudaRates cuda_record(RecordFile& record, const std::string& file) {
  CudaRates rates{};
  rates.name   = record.take("name");
  rates.source = file + ": " + record.take("source");
  record.take_numbers(numbers, rates);
  record.check_all_taken();
  check_units(rates, file);
  return rates;
}

}  // namespace Tegula::Impl
