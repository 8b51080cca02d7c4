// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_TIMER_HPP
#define TEGULA_PERF_TIMER_HPP

#include <chrono>

namespace Tegula::Perf {

/// Seconds that `calls` calls of work take, which they may only queue: exec is waited for before and after.
template <class ExecutionSpaceType, class Work>
double seconds_of(const ExecutionSpaceType& exec, int calls, const Work& work) {
  exec.fence();
  const auto start = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; ++call) work();
  exec.fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace Tegula::Perf

#endif
