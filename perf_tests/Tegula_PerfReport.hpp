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
  std::string shape, extents, type, layouts, ops;
  std::string tegula_path, peer_path;
  std::string error;  ///< empty: none
};

/// The table on the console, a row as soon as its case has run: what is there stays there if the run is cut short.
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  explicit TableReporter(bool with_peer) : with_peer_(with_peer) {}

  /// Keeps the text of the row of the benchmark of that name. All of them are known before the first is run.
  void set_text(const std::string& benchmark_name, const RowText& text) { texts_[benchmark_name] = text; }
  void set_paths(const std::string& benchmark_name, const std::string& tegula, const std::string& peer) {
    texts_[benchmark_name].tegula_path = tegula;
    texts_[benchmark_name].peer_path   = peer;
  }
  void set_error(const std::string& benchmark_name, const std::string& error) { texts_[benchmark_name].error = error; }
  const std::string& error(const std::string& benchmark_name) const { return texts_.at(benchmark_name).error; }
  bool any_error() const;

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  using Cells   = std::vector<std::string>;
  using Figures = std::map<std::string, double>;

  Cells heading() const;
  Cells cells(const RowText& text, const Figures& figures) const;
  void print(const Cells& line);

  bool with_peer_;
  std::map<std::string, RowText> texts_;
  std::map<std::string, Figures> figures_;
  std::set<std::string> printed_;
  std::vector<std::size_t> widths_;  ///< of the columns before the paths; empty before the heading
};

}  // namespace Tegula::Perf

#endif
