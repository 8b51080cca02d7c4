// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfReport.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "Tegula_PerfPaths.hpp"
#include "Tegula_PerfText.hpp"

namespace Tegula::Perf {
namespace {

constexpr const char* gap = "  ";

std::string percent(double value) { return figure(value) + " %"; }

/// The ratio has a second decimal only if the middle half of the ratios agrees in it.
std::string ratio_text(const Quartiles& ratio) {
  constexpr double steady = 0.02;
  return fixed(ratio.median, ratio.q75 - ratio.q25 < steady ? 2 : 1);
}

/// The title in the middle of a line of that width: "--- openblas ---".
std::string centred(const std::string& title, std::size_t width) {
  const std::size_t dashes = width > title.size() + 2 ? width - title.size() - 2 : 0;
  return std::string(dashes / 2, '-') + ' ' + title + ' ' + std::string(dashes - dashes / 2, '-');
}

/// A cell that Figure fills from a side with figures.
template <class Figure>
auto side_cell(const std::string& name, const Figure& figure_of) {
  return [name, figure_of](const Row& row) -> std::string {
    const SideFigures* const side = find_side(row.figures, name);
    if (side == nullptr) return nothing;
    if (!side->failure.empty()) return "FAILED";
    return side->samples == 0 ? nothing : figure_of(*side);
  };
}

auto gflops_cell(const std::string& name) {
  return side_cell(name, [](const SideFigures& side) { return figure(side.gflops); });
}

auto gbs_cell(const std::string& name) {
  return side_cell(name, [](const SideFigures& side) { return figure(side.gbs); });
}

auto ratio_cell(const std::string& name) {
  return side_cell(name, [](const SideFigures& side) { return side.ratio ? ratio_text(*side.ratio) : nothing; });
}

auto path_cell(const std::string& name) {
  return [name](const Row& row) -> std::string {
    const SideFigures* const side = find_side(row.figures, name);
    if (side == nullptr) return "";
    if (!side->failure.empty()) return "FAILED";
    return side->absent.empty() ? short_path(side->path) : "absent: " + side->absent;
  };
}

}  // namespace

TableReporter::TableReporter(const std::vector<std::string>& peers, bool with_load) {
  using Text      = std::string Row::*;  // named, since nvcc puts parentheses around a member of such a type
  const auto text = [](const char* title, Text member) {
    return Column{title, Kind::text, [member](const Row& row) { return row.*member; }};
  };
  const auto figure = [](const char* title, const auto& cell) { return Column{title, Kind::figure, cell}; };
  const auto roof   = [](const Row& row) {
    return row.figures.roof_percent ? percent(*row.figures.roof_percent) : std::string(nothing);
  };
  const auto copy = [](const Row& row) { return percent(row.figures.copy_percent); };
  groups_         = {{"",
                      {text("shape", &Row::shape), text("m x n x k", &Row::extents), text("type", &Row::type),
                       text("layout", &Row::layouts), text("op", &Row::ops)}},
                     {"Tegula",
                      {figure("GFLOP/s", gflops_cell("tegula")), figure("roof", roof), figure("GB/s", gbs_cell("tegula")),
                       figure("copy", copy)}}};
  if (with_load) groups_.front().columns.push_back(text("mode", &Row::load));
  for (const std::string& peer : peers)
    groups_.push_back({peer, {figure("GFLOP/s", gflops_cell(peer)), figure("ratio", ratio_cell(peer))}});
  groups_.push_back({"", {{"Tegula ran", Kind::path, path_cell("tegula")}}});
  for (const std::string& peer : peers) groups_.back().columns.push_back({peer + " ran", Kind::path, path_cell(peer)});
}

bool TableReporter::any_error() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const auto& named) {
    const Row& row = named.second;
    return !row.error.empty() || std::any_of(row.figures.sides.begin(), row.figures.sides.end(),
                                             [](const SideFigures& side) { return !side.failure.empty(); });
  });
}

// A benchmark is reported when all its repetitions have run, and once more with their statistics.
void TableReporter::ReportRuns(const std::vector<Run>& runs) {
  const std::string name = runs.front().run_name.function_name;
  if (!printed_.insert(name).second) return;
  if (printed_.size() == 1) print_heading();
  print_row(rows_.at(name));
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
      const std::size_t least = column.kind == Kind::path ? path_width : column.kind == Kind::figure ? figure_width : 0;
      column.width            = std::max(column.title.size(), least);
      if (column.kind != Kind::text) continue;
      for (const auto& [name, row] : rows_) column.width = std::max(column.width, column.cell(row).size());
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
      columns << (column.kind == Kind::figure ? std::right : std::left) << std::setw(static_cast<int>(column.width))
              << column.title << gap;
    const std::size_t width = group_width(group);
    titles << (group.title.empty() ? std::string(width, ' ') : centred(group.title, width)) << gap;
  }
  print_line(titles.str());
  print_line(columns.str());
}

// A row with an error says only that; the message follows at the end.
void TableReporter::print_row(const Row& row) {
  std::ostringstream line;
  for (const Group& group : groups_) {
    if (&group != &groups_.front() && !row.error.empty()) continue;
    for (const Column& column : group.columns)
      line << (column.kind == Kind::figure ? std::right : std::left) << std::setw(static_cast<int>(column.width))
           << column.cell(row) << gap;
  }
  print_line(line.str() + (row.error.empty() ? "" : "ERROR"));
}

void TableReporter::print_line(const std::string& line) {
  GetOutputStream() << line.substr(0, line.find_last_not_of(' ') + 1) << std::endl;
}

void TableReporter::Finalize() {
  for (const auto& [name, row] : rows_) {
    if (!row.error.empty()) GetErrorStream() << "error: " << name << ": " << row.error << '\n';
    for (const SideFigures& side : row.figures.sides)
      if (!side.failure.empty())
        GetErrorStream() << "error: " << name << ": " << side.name << ": " << side.failure << '\n';
  }
}

std::string describe_distributions(const std::vector<RowDistribution>& distributions) {
  std::ostringstream text;
  text << "ratio over shapes: time of the peer / time of Tegula\n";
  for (const RowDistribution& of_peer : distributions) {
    text << "  " << of_peer.type << (of_peer.load.empty() ? "" : " ") << of_peer.load << ' ' << of_peer.peer << ": "
         << of_peer.count << " shapes (" << of_peer.excluded << " excluded)";
    if (of_peer.count > 0) {
      const Distribution& ratios = of_peer.of_ratios;
      text << ", geometric mean " << fixed(ratios.geometric_mean, 2) << ", 10th percentile "
           << fixed(ratios.percentile_10, 2) << ", 50th " << fixed(ratios.percentile_50, 2) << ", worst "
           << fixed(ratios.worst.ratio, 2) << " (" << ratios.worst.shape << ')';
    }
    text << '\n';
  }
  return text.str();
}

}  // namespace Tegula::Perf
