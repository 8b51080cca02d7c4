// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_WORKER_HPP
#define TEGULA_RANK_WORKER_HPP

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfOptions.hpp"
#include "Tegula_RankChannel.hpp"

namespace Tegula::Perf {

/// The rank that this process measures; -1 if it is no worker. For tests, which have something happen to one of many.
int worker_rank();

/// The body of main of a worker: initialises Kokkos, and measures every case in each phase when its supervisor says so.
/// Returns the exit code, which is 0 if it could say all that it has to say.
int run_worker(const ProgramText& program, const Options& options, CaseFactory factory, RankChannel channel);

}  // namespace Tegula::Perf

#endif
