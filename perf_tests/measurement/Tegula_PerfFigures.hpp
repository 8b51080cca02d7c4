// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_FIGURES_HPP
#define TEGULA_PERF_FIGURES_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "Tegula_PerfStatistics.hpp"

namespace Tegula::Perf {

/// What was found of a side in a row.
struct SideFigures {
  std::string name;
  std::string path;         ///< what ran
  std::string absent;       ///< why it does not take the case; else empty
  std::string failure;      ///< what went wrong; else empty
  double error        = 0;  ///< found by the check: Verdict::error
  std::size_t samples = 0;  ///< times; none if it is absent, or failed
  Quartiles seconds{};      ///< of a call
  double gflops = 0, gbs = 0;
  std::optional<Quartiles> ratio;  ///< of a peer: its seconds in a round / Tegula's in the same round
};

struct RowFigures {
  double flops = 0, bytes = 0;
  std::optional<double> roof_percent;  ///< where the peak is known
  double copy_percent = 0;
  std::vector<SideFigures> sides;  ///< Tegula first
};

/// The side of that name; null if there is none.
inline const SideFigures* find_side(const RowFigures& row, const std::string& name) {
  for (const SideFigures& side : row.sides)
    if (side.name == name) return &side;
  return nullptr;
}

}  // namespace Tegula::Perf

#endif
