// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_TEXT_HPP
#define TEGULA_PERF_TEXT_HPP

#include <iomanip>
#include <sstream>
#include <string>

/// Figures as tables show them.

namespace Tegula::Perf {

/// Of a cell without a figure.
inline constexpr const char* nothing = "-";

inline std::string fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

/// Three significant digits, as far as a decimal point can give them.
inline std::string figure(double value) { return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0); }

}  // namespace Tegula::Perf

#endif
