// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfReport.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace Tegula::Perf {
namespace {

std::string fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

/// Three significant digits, as far as a decimal point can give them.
std::string figure(double value) { return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0); }

}  // namespace

bool TableReporter::any_error() const {
  return std::any_of(texts_.begin(), texts_.end(), [](const auto& text) { return !text.second.error.empty(); });
}

// A benchmark is reported once with its repetitions, then once with their statistics, of which the median is shown.
// One repetition, or an error, has no statistics.
void TableReporter::ReportRuns(const std::vector<Run>& runs) {
  bool complete          = false;
  const std::string name = runs.front().run_name.function_name;
  for (const Run& run : runs) {
    const bool median = run.run_type == Run::RT_Aggregate && run.aggregate_name == "median";
    if (run.run_type == Run::RT_Aggregate && !median) continue;
    for (const auto& [counter, value] : run.counters) figures_[name][counter] = value;
    complete = complete || median || run.repetitions == 1;
  }
  const RowText& text = texts_.at(name);
  if ((!complete && text.error.empty()) || !printed_.insert(name).second) return;
  if (widths_.empty()) print(heading());
  print(cells(text, figures_[name]));
}

TableReporter::Cells TableReporter::heading() const {
  Cells cells{"shape", "m x n x k", "type", "layout", "op", "Tegula GFLOP/s"};
  if (with_peer_) cells.insert(cells.end(), {"peer GFLOP/s", "ratio"});
  cells.insert(cells.end(), {"roof", "Tegula ran"});
  if (with_peer_) cells.push_back("KokkosBlas::gemm ran");
  return cells;
}

TableReporter::Cells TableReporter::cells(const RowText& text, const Figures& figures) const {
  Cells cells{text.shape, text.extents, text.type, text.layouts, text.ops};
  if (!text.error.empty()) {
    cells.push_back("ERROR");
    return cells;
  }
  const auto value = [&](const char* counter, const char* unit = "") {
    const auto known = figures.find(counter);
    return known == figures.end() ? std::string("-") : figure(known->second) + unit;
  };
  cells.push_back(value("tegula_gflops"));
  if (with_peer_) cells.insert(cells.end(), {value("peer_gflops"), value("ratio")});
  cells.insert(cells.end(), {value("roofline_percent", " %"), text.tegula_path});
  if (with_peer_) cells.push_back(text.peer_path);
  return cells;
}

// The texts of all rows are known, and figures have at most six places, so the columns fit from the first row on.
void TableReporter::print(const Cells& line) {
  constexpr std::size_t first_figure = 5;
  const std::size_t first_path       = with_peer_ ? 9 : 7;
  if (widths_.empty()) {
    for (const std::string& title : line) widths_.push_back(title.size());
    for (const auto& [name, text] : texts_) {
      const Cells known{text.shape, text.extents, text.type, text.layouts, text.ops};
      for (std::size_t c = 0; c < first_figure; ++c) widths_[c] = std::max(widths_[c], known[c].size());
    }
    for (std::size_t c = first_figure; c < first_path; ++c) widths_[c] = std::max<std::size_t>(widths_[c], 6);
    widths_[first_path] = std::max<std::size_t>(widths_[first_path], 40);
  }
  std::ostream& out = GetOutputStream();
  for (std::size_t c = 0; c < line.size(); ++c) {
    const bool is_figure = c >= first_figure && c < first_path;
    out << (c == 0 ? "" : "  ") << (is_figure ? std::right : std::left)
        << std::setw(c + 1 == line.size() && !is_figure ? 0 : static_cast<int>(widths_[c])) << line[c];
  }
  out << std::endl;
}

void TableReporter::Finalize() {
  for (const auto& [name, text] : texts_) {
    if (!text.error.empty()) GetErrorStream() << "error: " << name << ": " << text.error << '\n';
  }
}

}  // namespace Tegula::Perf
