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
void TableReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    const bool median = run.run_type == Run::RT_Aggregate && run.aggregate_name == "median";
    if (run.run_type == Run::RT_Aggregate && !median) continue;
    const std::string& name = run.run_name.function_name;
    auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& known) { return known.benchmark_name == name; });
    if (row == rows_.end()) row = rows_.insert(row, Row{name, {}});
    for (const auto& [counter, value] : run.counters) row->figures[counter] = value;
  }
}

TableReporter::Cells TableReporter::heading() const {
  Cells cells{"shape", "m x n x k", "type", "layout", "op", "Tegula GFLOP/s"};
  if (with_peer_) cells.insert(cells.end(), {"peer GFLOP/s", "ratio"});
  cells.insert(cells.end(), {"roof", "Tegula ran"});
  if (with_peer_) cells.push_back("KokkosBlas::gemm ran");
  return cells;
}

TableReporter::Cells TableReporter::cells(const Row& row) const {
  const RowText& text = texts_.at(row.benchmark_name);
  Cells cells{text.shape, text.extents, text.type, text.layouts, text.ops};
  if (!text.error.empty()) {
    cells.push_back("ERROR");
    return cells;
  }
  const auto value = [&](const char* counter, const char* unit = "") {
    const auto known = row.figures.find(counter);
    return known == row.figures.end() ? std::string("-") : figure(known->second) + unit;
  };
  cells.push_back(value("tegula_gflops"));
  if (with_peer_) cells.insert(cells.end(), {value("peer_gflops"), value("ratio")});
  cells.insert(cells.end(), {value("roofline_percent", " %"), text.tegula_path});
  if (with_peer_) cells.push_back(text.peer_path);
  return cells;
}

void TableReporter::Finalize() {
  std::vector<Cells> table{heading()};
  for (const Row& row : rows_) table.push_back(cells(row));
  std::vector<std::size_t> widths(table.front().size());
  for (const Cells& line : table)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());

  constexpr std::size_t first_figure = 5;
  const std::size_t first_path       = with_peer_ ? 9 : 7;
  std::ostream& out                  = GetOutputStream();
  for (const Cells& line : table) {
    for (std::size_t c = 0; c < line.size(); ++c) {
      const bool is_figure = c >= first_figure && c < first_path;
      out << (c == 0 ? "" : "  ") << (is_figure ? std::right : std::left)
          << std::setw(c + 1 == line.size() && !is_figure ? 0 : static_cast<int>(widths[c])) << line[c];
    }
    out << '\n';
  }
  for (const auto& [name, text] : texts_)
    if (!text.error.empty()) GetErrorStream() << "error: " << name << ": " << text.error << '\n';
  out.flush();
}

}  // namespace Tegula::Perf
