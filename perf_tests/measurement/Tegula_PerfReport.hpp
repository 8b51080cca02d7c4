// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_REPORT_HPP
#define TEGULA_PERF_REPORT_HPP

#include <benchmark/benchmark.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "Tegula_PerfCase.hpp"

namespace Tegula::Perf {

/// What a row says besides its figures.
struct RowText {
  std::string shape, extents, type, layouts, ops, load;
  std::map<std::string, std::string> paths;     ///< what ran, by the name of the side
  std::map<std::string, std::string> failures;  ///< what went wrong, by the name of the peer
  std::string error;                            ///< of Tegula, which leaves no figures; empty: none
};

/// The table on the console, a row as soon as its case has run: what is there stays there if the run is cut short.
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  /// with_load: whether there is a column for the load.
  TableReporter(const std::vector<std::string>& peers, bool with_load);

  /// Keeps the text of the row of the benchmark of that name. All of them are known before the first is run.
  void set_text(const std::string& benchmark_name, const RowText& text) { texts_[benchmark_name] = text; }
  void set_path(const std::string& benchmark_name, const std::string& side, const std::string& path) {
    texts_[benchmark_name].paths[side] = path;
  }
  void set_failure(const std::string& benchmark_name, const std::string& peer, const std::string& failure) {
    texts_[benchmark_name].failures[peer] = failure;
  }
  void set_error(const std::string& benchmark_name, const std::string& error) { texts_[benchmark_name].error = error; }
  const std::string& error(const std::string& benchmark_name) const { return texts_.at(benchmark_name).error; }
  /// Whether a row has an error, or a peer failed.
  bool any_error() const;

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  using Figures = std::map<std::string, double>;
  using Text    = std::string RowText::*;  // named, since nvcc puts parentheses around a member of such a type

  /// A figure of a counter, or a text of the row.
  struct Column {
    std::string title;
    std::string counter;  ///< empty: a text
    const char* unit;     ///< after a figure
    Text text;            ///< null and no counter: what the side ran
    std::string side;     ///< whose column it is; empty: of no side
    std::size_t width = 0;
  };
  /// Columns side by side with a title above theirs.
  struct Group {
    std::string title;
    std::vector<Column> columns;
  };

  std::string cell(const Column& column, const RowText& text, const Figures& figures) const;
  static std::size_t group_width(const Group& group);
  void fit_widths();
  void print_heading();
  void print_row(const RowText& text, const Figures& figures);
  void print_line(const std::string& line);

  std::vector<Group> groups_;
  std::map<std::string, RowText> texts_;
  std::map<std::string, Figures> figures_;
  std::set<std::string> printed_;
};

}  // namespace Tegula::Perf

#endif
