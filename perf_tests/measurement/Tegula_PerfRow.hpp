// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_ROW_HPP
#define TEGULA_PERF_ROW_HPP

#include <string>
#include <vector>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfFigures.hpp"

namespace Tegula::Perf {

/// A row of the table and of the JSON file.
struct Row {
  std::string shape, extents, type, layouts, ops, load;  ///< as the table shows them
  CaseSpec spec;
  RowFigures figures;
  std::string error;  ///< of Tegula, which leaves no figures; empty: none

  int rank = 0;       ///< that measured it, where there are several
  std::string phase;  ///< in which it did; empty: there is one rank
};

Row new_row(const CaseSpec& spec, Load load);

/// The ratios of a peer over the rows of a type under a load.
struct RowDistribution {
  std::string type, load, peer;
  std::size_t count, excluded;  ///< rows with a ratio, and without: absent or failed
  Distribution of_ratios;       ///< if there is a ratio
};

/// For every type, load and peer in the order in which they first come.
std::vector<RowDistribution> distributions(const std::vector<Row>& rows);

}  // namespace Tegula::Perf

#endif
