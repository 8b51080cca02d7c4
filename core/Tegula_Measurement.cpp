// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Measurement.hpp"

#include <iomanip>
#include <sstream>

namespace Tegula {
namespace {

void describe_times(std::ostream& out, double predicted, double measured) {
  if (predicted > 0) out << ", predicted " << 1e6 * predicted << " us";
  out << ", measured " << 1e6 * measured << " us\n";
}

}  // namespace

std::string Measurement::text() const {
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << plan.label() << " on " << plan.space;
  if (*plan.machine != '\0') out << ", predicted for " << plan.machine << " (" << plan.machine_source << ')';
  out << '\n';
  if (steps.empty()) {
    out << "  nothing to compute\n";
    return out.str();
  }
  int number = 0;
  for (const auto& [step, measured] : steps) {
    out << "  step " << ++number << "    " << step.label << ' ' << step.what;
    describe_times(out, step.seconds, measured);
  }
  out << "  the whole call";
  describe_times(out, plan.seconds(), seconds);
  return out.str();
}

}  // namespace Tegula
