// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_RUN_HPP
#define TEGULA_PERF_RUN_HPP

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfOptions.hpp"

namespace Tegula::Perf {

/// The body of main of both programs: reads the command line, checks and measures every case, prints the table.
/// Returns the exit code.
int run_program(const ProgramText& program, CaseFactory factory, int argc, char** argv);

}  // namespace Tegula::Perf

#endif
