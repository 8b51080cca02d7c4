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

/// The title in the middle of a line of that width: "--- openblas ---".
std::string centred(const std::string& title, std::size_t width) {
  const std::size_t dashes = width > title.size() + 2 ? width - title.size() - 2 : 0;
  return std::string(dashes / 2, '-') + ' ' + title + ' ' + std::string(dashes - dashes / 2, '-');
}

constexpr const char* gap = "  ";

}  // namespace

TableReporter::TableReporter(const std::vector<std::string>& peers, bool with_load) {
  const auto text   = [](const char* title, Text member) { return Column{title, "", "", member, ""}; };
  const auto figure = [](const char* title, const std::string& counter, const char* unit, const std::string& side) {
    return Column{title, counter, unit, nullptr, side};
  };
  groups_ = {{"",
              {text("shape", &RowText::shape), text("m x n x k", &RowText::extents), text("type", &RowText::type),
               text("layout", &RowText::layouts), text("op", &RowText::ops)}},
             {"Tegula",
              {figure("GFLOP/s", "tegula_gflops", "", "tegula"), figure("roof", "roofline_percent", " %", "tegula"),
               figure("GB/s", "tegula_gbs", "", "tegula"), figure("copy", "copy_percent", " %", "tegula")}}};
  if (with_load) groups_.front().columns.push_back(text("mode", &RowText::load));
  for (const std::string& peer : peers)
    groups_.push_back(
        {peer, {figure("GFLOP/s", peer + "_gflops", "", peer), figure("ratio", peer + "_ratio", "", peer)}});
  groups_.push_back({"", {{"Tegula ran", "", "", nullptr, "tegula"}}});
  for (const std::string& peer : peers) groups_.back().columns.push_back({peer + " ran", "", "", nullptr, peer});
}

bool TableReporter::any_error() const {
  return std::any_of(texts_.begin(), texts_.end(),
                     [](const auto& text) { return !text.second.error.empty() || !text.second.failures.empty(); });
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
  if (printed_.size() == 1) print_heading();
  print_row(text, figures_[name]);
}

std::string TableReporter::cell(const Column& column, const RowText& text, const Figures& figures) const {
  if (column.text != nullptr) return text.*column.text;
  if (text.failures.contains(column.side)) return "FAILED";
  if (column.counter.empty()) {
    const auto path = text.paths.find(column.side);
    return path == text.paths.end() ? "" : path->second;
  }
  const auto known = figures.find(column.counter);
  return known == figures.end() ? "-" : figure(known->second) + column.unit;
}

std::size_t TableReporter::group_width(const Group& group) {
  std::size_t width = (group.columns.size() - 1) * std::string(gap).size();
  for (const Column& column : group.columns) width += column.width;
  return width;
}

// The texts of all rows are known but for what ran, so the columns fit from the first row on.
void TableReporter::fit_widths() {
  constexpr std::size_t figure_width = 7, path_width = 40;
  for (Group& group : groups_) {
    for (Column& column : group.columns) {
      const bool path = column.counter.empty() && column.text == nullptr;
      column.width    = std::max(column.title.size(), path ? path_width : column.text == nullptr ? figure_width : 0);
      if (column.text == nullptr) continue;
      for (const auto& [name, text] : texts_) column.width = std::max(column.width, (text.*column.text).size());
    }
    const std::size_t room_for_dashes = group.title.empty() ? 0 : group.title.size() + 4;
    const std::size_t width           = group_width(group);
    if (width < room_for_dashes) group.columns.front().width += room_for_dashes - width;
  }
}

void TableReporter::print_heading() {
  fit_widths();
  std::ostringstream titles, columns;
  for (const Group& group : groups_) {
    for (const Column& column : group.columns)
      columns << (column.counter.empty() ? std::left : std::right) << std::setw(static_cast<int>(column.width))
              << column.title << gap;
    const std::size_t width = group_width(group);
    titles << (group.title.empty() ? std::string(width, ' ') : centred(group.title, width)) << gap;
  }
  print_line(titles.str());
  print_line(columns.str());
}

// Of an error, the message follows at the end.
void TableReporter::print_row(const RowText& text, const Figures& figures) {
  std::ostringstream line;
  for (const Group& group : groups_) {
    if (&group != &groups_.front() && !text.error.empty()) continue;
    for (const Column& column : group.columns)
      line << (column.counter.empty() ? std::left : std::right) << std::setw(static_cast<int>(column.width))
           << cell(column, text, figures) << gap;
  }
  print_line(line.str() + (text.error.empty() ? "" : "ERROR"));
}

void TableReporter::print_line(const std::string& line) {
  GetOutputStream() << line.substr(0, line.find_last_not_of(' ') + 1) << std::endl;
}

void TableReporter::Finalize() {
  for (const auto& [name, text] : texts_) {
    if (!text.error.empty()) GetErrorStream() << "error: " << name << ": " << text.error << '\n';
    for (const auto& [peer, failure] : text.failures)
      GetErrorStream() << "error: " << name << ": " << peer << ": " << failure << '\n';
  }
}

}  // namespace Tegula::Perf
