// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_RATES_HPP
#define TEGULA_HOST_RATES_HPP

#include <string>

#include "Tegula_HostInstructions.hpp"

namespace Tegula::Impl {

class RecordFile;

/// What is known of the speed of processors with a set of instructions: one record for all of them, or for those that
/// compute a vector of 512 bits as two halves. Times are predicted by it, and the way with the least predicted time is
/// taken. Nothing here needs Kokkos.
struct HostRates {
  Instructions instructions;
  std::string name;
  std::string source;
  double cycles;      // of the planner's model (Tegula_HostPlan.cpp) that pass in a second
  double near;        // bytes of operands and results that a thread's own caches hold
  double cache_rate;  // bytes a second, beyond them, of a thread, from the last cache
  double cache;       // bytes of operands and results that are not waited for
  double memory;      // bytes a second, beyond them, of a thread
  double all_memory;  // the same of all threads
  double call;        // seconds that a call takes that has nothing to compute
  double launch;      // seconds more where a thread computes several tiles, or needs more scratch than a stack has
  double fork;        // the same where several threads take part
};

/// How an activation is applied: its value to sums, or its derivative to dC.
enum class Applied { value, slope };

/// Cycles of HostRates::cycles that an activation takes for an element. `position` is that in BuiltInActivations; a
/// user's own, at -1, counts as GeluTanh.
double activation_cycles(Instructions instructions, int position, bool is_double, Applied applied);

/// The key that tells a host's record from a GPU's.
inline constexpr const char* host_record_key = "instructions";

/// The library's record for this processor.
const HostRates& host_rates(Instructions instructions);

/// That for processors that compute a vector of 512 bits in halves, or for others.
const HostRates& host_rates(Instructions instructions, bool in_halves);

/// The file of a record.
std::string text(const HostRates& rates);

/// The record in a file. Its source begins with the file's name. Throws std::invalid_argument, as RecordFile does.
HostRates host_record(RecordFile& record, const std::string& file);

}  // namespace Tegula::Impl

#endif
