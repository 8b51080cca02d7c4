// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_HEADING_HPP
#define TEGULA_PERF_HEADING_HPP

#include <map>
#include <string>

#include "Tegula_PerfMachine.hpp"

namespace Tegula::Perf {

/// What stands above the table.
struct Heading {
  std::string text;
  std::map<std::string, std::string> peers;  ///< what each is
};

/// Gets the peers ready.
Heading make_heading(const ProgramText& program, const Options& options, const Machine& machine);

}  // namespace Tegula::Perf

#endif
