// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_MODEL_HPP
#define TEGULA_PANEL_MODEL_HPP

#include <array>

#include "Tegula_PanelConfig.hpp"

/// What the planner knows of the panel family, fitted to times measured on an
/// H200 (perf_tests/README.md).

namespace Tegula::Impl {

struct PanelRates {
  double start;                  // seconds, until the first panel and the first tile are there
  double tile, added;            // cycles around a tile; more where C is read
  double full;                   // of the multiply-adds of tensor cores
  std::array<double, 2> memory;  // of the bandwidth, without and with a C that is read
};
inline constexpr PanelRates panel_rates{
    .start = 2.66e-06, .tile = 657, .added = 1970, .full = 0.807, .memory = {0.739, 0.57}};

}  // namespace Tegula::Impl

#endif
