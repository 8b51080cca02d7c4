// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_RESULT_FILE_HPP
#define TEGULA_PERF_RESULT_FILE_HPP

#include <map>
#include <string>
#include <vector>

#include "Tegula_PerfJson.hpp"
#include "Tegula_PerfMachine.hpp"
#include "Tegula_PerfOptions.hpp"
#include "Tegula_PerfRow.hpp"

namespace Tegula::Perf {

/// A row as the file has it.
std::string json(const Row& row);

/// What --json writes: where the figures come from, and the figures. The file is written anew with every row, so that a
/// run that is cut short leaves the rows before.
class ResultFile {
 public:
  /// peers: what each is, by its name. No file is written without --json.
  ResultFile(const ProgramText& program, const Options& options, const Machine& machine,
             const std::map<std::string, std::string>& peers);

  /// Adds the row, or puts it in the place of the last one if that is the same.
  void put(const std::string& benchmark_name, const Row& row);

  /// After the last row.
  void complete();

  const std::vector<Row>& rows() const { return rows_; }
  /// Where the figures come from.
  JsonObject context() const;

 private:
  void write(bool complete) const;
  std::string text(bool complete) const;

  ProgramText program_;
  Options options_;
  Machine machine_;
  std::map<std::string, std::string> peers_;
  std::string date_, start_, end_;  // the last two: what the device said of itself
  std::string last_name_;
  std::vector<Row> rows_;
};

}  // namespace Tegula::Perf

#endif
