// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_RATES_HPP
#define TEGULA_HOST_RATES_HPP

#include "Tegula_HostInstructions.hpp"

namespace Tegula::Impl {

/// What is known of the speed of processors with a set of instructions: one record for all of them. Times are predicted
/// by it, and nothing else: how a call is cut into tiles does not depend on it. Nothing here needs Kokkos.
struct HostRates {
  const char* name;
  const char* source;
  double cycles;      // of the planner's model (Tegula_HostPlan.cpp) that pass in a second
  double cache;       // bytes of operands and results that are not waited for
  double memory;      // bytes a second, beyond them, of a thread
  double all_memory;  // the same of all threads
  double call;        // seconds that a call takes that has nothing to compute
  double fork;        // seconds more where several threads take part
};

const HostRates& host_rates(Instructions instructions);

}  // namespace Tegula::Impl

#endif
