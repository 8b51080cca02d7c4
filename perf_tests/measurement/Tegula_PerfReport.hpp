// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_REPORT_HPP
#define TEGULA_PERF_REPORT_HPP

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "Tegula_PerfRow.hpp"

namespace Tegula::Perf {

/// The table on the console, a row as soon as its case has run: what is there stays there if the run is cut short.
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  /// with_load: whether there is a column for the load.
  TableReporter(const std::vector<std::string>& peers, bool with_load);

  /// The row of the benchmark of that name. All of them are there, without figures, before the first is run.
  Row& row(const std::string& benchmark_name) { return rows_[benchmark_name]; }
  /// Whether a row has an error, or a peer failed.
  bool any_error() const;

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  enum class Kind { text, figure, path };

  struct Column {
    std::string title;
    Kind kind;
    std::function<std::string(const Row&)> cell;
    std::size_t width = 0;
  };
  /// Columns side by side with a title above theirs.
  struct Group {
    std::string title;
    std::vector<Column> columns;
  };

  static std::size_t group_width(const Group& group);
  void fit_widths();
  void print_heading();
  void print_row(const Row& row);
  void print_line(const std::string& line);

  std::vector<Group> groups_;
  std::map<std::string, Row> rows_;
  std::set<std::string> printed_;
};

/// After shapes drawn at random, for people: a line for each type, load and peer.
std::string describe_distributions(const std::vector<RowDistribution>& distributions);

}  // namespace Tegula::Perf

#endif
