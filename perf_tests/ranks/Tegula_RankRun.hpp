// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_RUN_HPP
#define TEGULA_RANK_RUN_HPP

#include "Tegula_PerfOptions.hpp"
#include "Tegula_RankProcess.hpp"

namespace Tegula::Perf {

/// The body of main of a supervisor: it starts the workers of its ranks, tells them when to measure, prints the table
/// and writes the file. It touches no device, and takes part in nothing that is measured. Returns the exit code.
int run_ranks(const ProgramText& program, const Options& options, char** argv);

}  // namespace Tegula::Perf

#endif
