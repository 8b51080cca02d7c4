// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_REPORT_HPP
#define TEGULA_PERF_REPORT_HPP

#include <benchmark/benchmark.h>

#include <map>
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

/// The table on the console, printed when all cases have run, so that its columns fit.
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  explicit TableReporter(bool with_peer) : with_peer_(with_peer) {}

  /// Keeps the text of the row of the benchmark of that name.
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
  struct Row {
    std::string benchmark_name;
    std::map<std::string, double> figures;
  };
  using Cells = std::vector<std::string>;

  Cells heading() const;
  Cells cells(const Row& row) const;

  bool with_peer_;
  std::map<std::string, RowText> texts_;
  std::vector<Row> rows_;
};

}  // namespace Tegula::Perf

#endif
